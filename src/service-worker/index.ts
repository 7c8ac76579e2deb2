/// <reference types="@sveltejs/kit" />
import { base, build, files, version } from '$service-worker';
import { ThumbnailStore } from '../lib/sync/thumbnails/store.ts';
import { answerCover, isCover } from './couvertures.ts';
import { cachesOf, LanguageNote } from './language-note.ts';
import { isRoute } from './routes.ts';

/** Keeps the application's files on the device; src/lib/sync keeps the household's records. */
declare const self: ServiceWorkerGlobalScope;

/** The paths of the screens, from the build (vite.config.ts). */
declare const __SCREENS__: readonly string[];

/** The language of this build, and what those before it have built (scripts/support/build.ts), by their languages. */
declare const __LOCALE__: string;
declare const __BUILT__: Readonly<Record<string, readonly string[]>>;

/** One worker for all languages: a change of language is none of the worker, which another tab may be about to install. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(__BUILT__).map(([locale, paths]) => [locale, paths.map((path) => base + path)]),
  ),
  [__LOCALE__]: build,
};

const LANGUAGES = Object.keys(BUILT);

/** The prefix of our caches' names; another installation on the same host has another prefix. */
const CACHES = cachesOf(base);

/** Each language of a version has its own; whoever has read in several keeps them all. */
const OF_VERSION = `${CACHES}${version}|`;

const cacheOf = (locale: string): string => OF_VERSION + locale;

const note = new LanguageNote(base);

const SCANNER_CACHE = `${CACHES}scanner`;

/** The page that answers the address of every screen; Kit does not list it among its files. */
const SHELL = `${base}/shell.html`;

/** What has one address in all languages, and is given in one of them by `?langue=`. */
const IN_LANGUAGE = [SHELL, `${base}/manifest.webmanifest`];

/** The files that a page of the application names; a page of a sign-on layer names none. */
const NAMED = /\/_app\/immutable\/[^"]+/g;

/** What the build names by a hash of its content. */
const HASHED = /\/_app\/immutable\//;

/** The decoder of barcodes is large and rarely used: it is kept from its first use on. */
const SCANNER = build.filter((path) => path.endsWith('.wasm'));

/** All that a start without a network needs in a language but its page. */
const filesOf = (locale: string): readonly string[] => [
  ...(BUILT[locale] ?? []).filter((path) => !SCANNER.includes(path)),
  ...files,
];

const KEPT = new Set(LANGUAGES.flatMap(filesOf));

/** What a proxy answers for a service that does not. */
const UNREACHABLE = [502, 503, 504];

const thumbnails = new ThumbnailStore(base);

self.addEventListener('install', (event) => {
  event.waitUntil(keepAll());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([forgetOthers(), self.clients.claim()]));
});

/** What page.ts asks, of a language or of the one that is read here; each answer is how many files are missing then. */
self.addEventListener('message', (event) => {
  const [port] = event.ports;
  const [question, locale] = String(event.data).split(' ');
  const answerWith = (work: (locale: string) => Promise<number>) =>
    event.waitUntil(
      Promise.resolve(locale ?? readIn())
        .then((read) => read ?? languageOfServer())
        .then(work)
        .then((count) => port?.postMessage(count)),
    );
  // The reader takes the new version.
  if (question === 'takeOver') void self.skipWaiting();
  else if (question === 'countMissing') answerWith(countMissing);
  else if (question === 'keepMissing') answerWith(keepMissing);
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  const path = pathname.slice(base.length);
  if (isCover(path)) event.respondWith(answerCover(thumbnails, path, request));
  else if (SCANNER.includes(pathname)) event.respondWith(answerScanner(request));
  else if (request.mode === 'navigate') {
    // Signing in must reach the layer in front of the server.
    if (isRoute(path || '/', __SCREENS__) && !searchParams.has('connexion'))
      event.respondWith(answerScreen(request));
    // Without a network the application answers an unknown address, not the browser.
    else if (!path.startsWith('/api/')) event.respondWith(answerOther(request));
  } else if (IN_LANGUAGE.includes(pathname)) event.respondWith(answerInLanguage(request));
  else if (KEPT.has(pathname)) event.respondWith(answer(pathname, request));
});

/** The page in the language that was chosen; where that is not kept yet, the server has it, or another one stands in. */
async function answerScreen(request: Request): Promise<Response> {
  const [chosen, ...pages] = await Promise.all([
    chosenLanguage(),
    ...LANGUAGES.map((locale) => caches.match(SHELL, { cacheName: cacheOf(locale) })),
  ]);
  const any = pages.find((page) => page !== undefined);
  const kept = chosen === null ? any : pages[LANGUAGES.indexOf(chosen)];
  if (kept !== undefined) return kept;
  return any === undefined ? fetch(request) : answerOr(request, () => any);
}

/** The server's answer; the application, where the server or what is behind its proxy does not answer. */
const answerOther = (request: Request): Promise<Response> =>
  answerOr(request, () => answerScreen(request));

async function answerOr(
  request: Request,
  instead: () => Response | Promise<Response>,
): Promise<Response> {
  const response = await fetch(request).catch(() => null);
  return response === null || UNREACHABLE.includes(response.status) ? instead() : response;
}

/** The language that was chosen on this device, where this version has it. */
async function chosenLanguage(): Promise<string | null> {
  const chosen = await note.read();
  return chosen !== null && LANGUAGES.includes(chosen) ? chosen : null;
}

/** What is read here: the chosen language, else the first that is kept. */
async function readIn(): Promise<string | null> {
  const chosen = await chosenLanguage();
  if (chosen !== null) return chosen;
  const kept = await Promise.all(LANGUAGES.map((locale) => caches.has(cacheOf(locale))));
  return LANGUAGES[kept.indexOf(true)] ?? null;
}

/** The language in which the server answers this device. */
async function languageOfServer(): Promise<string> {
  const locale = await languageOf(await fetchAnew(SHELL));
  if (locale === null) throw new Error(`${SHELL} is not answered by the application`);
  return locale;
}

/** The language whose files a page names; `null` for a page of a sign-on layer, or of another version. */
async function languageOf(page: Response): Promise<string | null> {
  const named = (await page.text()).match(NAMED) ?? [];
  const hasAll = (locale: string) => named.every((path) => BUILT[locale]?.includes(base + path));
  return named.length === 0 ? null : (LANGUAGES.find(hasAll) ?? null);
}

/** The language of this device, what earlier versions have kept besides, and what is chosen meanwhile. */
async function keepAll(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES));
  const before = LANGUAGES.filter((locale) => names.some((name) => name.endsWith(`|${locale}`)));
  const first = (await chosenLanguage()) ?? (await languageOfServer());
  for (const locale of new Set([first, ...before])) await keepLanguage(locale);
  const chosen = await chosenLanguage();
  if (chosen !== null && chosen !== first && !before.includes(chosen)) await keepLanguage(chosen);
  await keepScanner();
}

const keepLanguage = (locale: string): Promise<void> =>
  keepFiles(locale, [SHELL, ...filesOf(locale)]);

async function keepFiles(locale: string, paths: readonly string[]): Promise<void> {
  await keepIn(await caches.open(cacheOf(locale)), paths, locale);
}

const keepIn = (cache: Cache, paths: readonly string[], locale?: string): Promise<unknown> =>
  Promise.all(
    paths.map(async (path) =>
      cache.put(path, (await keptBefore(path)) ?? (await fetchOurs(path, locale))),
    ),
  );

/** A file whose name says its content, as an earlier version has it: only what has changed is fetched. */
async function keptBefore(path: string): Promise<Response | undefined> {
  if (!HASHED.test(path)) return undefined;
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES));
  const found = await Promise.all(names.map((cacheName) => caches.match(path, { cacheName })));
  return found.find((response) => response !== undefined);
}

/** The files that a start without a network would not find: a person, or a system short of room, has deleted them. */
async function missingFiles(locale: string): Promise<readonly string[]> {
  const paths = [SHELL, ...filesOf(locale)];
  const cacheName = cacheOf(locale);
  if (!(await caches.has(cacheName))) return paths;
  const cache = await caches.open(cacheName);
  const found = await Promise.all(paths.map((path) => cache.match(path)));
  return paths.filter((_, nth) => found[nth] === undefined);
}

const countMissing = async (locale: string): Promise<number> => (await missingFiles(locale)).length;

const keeping = new Map<string, Promise<number>>();

/** Once for all the pages that ask at the same time. */
function keepMissing(locale: string): Promise<number> {
  const begun = keeping.get(locale);
  if (begun !== undefined) return begun;
  const work = fetchMissing(locale).finally(() => keeping.delete(locale));
  keeping.set(locale, work);
  return work;
}

/** Of a version that the server has replaced the files are gone: they stay missing until the next one takes over. */
async function fetchMissing(locale: string): Promise<number> {
  const missing = await missingFiles(locale);
  await Promise.allSettled(missing.map((path) => keepFiles(locale, [path])));
  return missing.length === 0 ? 0 : countMissing(locale);
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  const isOurs = (name: string) =>
    name.startsWith(OF_VERSION) || name === SCANNER_CACHE || name === note.cacheName;
  await Promise.all(
    names
      .filter((name) => name.startsWith(CACHES) && !isOurs(name))
      .map((name) => caches.delete(name)),
  );
}

/** From the cache, or from the network where the browser has evicted the file. */
async function answer(path: string, request: Request): Promise<Response> {
  const found = await Promise.all(
    LANGUAGES.map((locale) => caches.match(path, { cacheName: cacheOf(locale) })),
  );
  return found.find((response) => response !== undefined) ?? fetch(request);
}

async function answerInLanguage(request: Request): Promise<Response> {
  const locale = await readIn();
  if (locale === null) return fetch(request);
  const { pathname } = new URL(request.url);
  return (await caches.match(pathname, { cacheName: cacheOf(locale) })) ?? fetch(request);
}

/** The browser's HTTP cache may hold another version. */
const fetchAnew = (path: string): Promise<Response> =>
  fetch(new Request(path, { cache: 'no-cache', redirect: 'error' }));

/** What the media type of a file says, by the end of its name. */
const MEDIA_TYPES = new Map([
  ['js', 'javascript'],
  ['css', 'css'],
  ['json', 'json'],
  ['webmanifest', 'json'],
]);

/** A layer in front of the server may answer with a page or JSON of its own, whatever is asked. */
function isFile(path: string, mediaType: string): boolean {
  const due = MEDIA_TYPES.get(path.split('.').at(-1) ?? '');
  return due === undefined ? !/html|json/.test(mediaType) : mediaType.includes(due);
}

/** A page is kept in the language that was asked for, and of this version alone. */
async function fetchOurs(path: string, locale?: string): Promise<Response> {
  const isInLanguage = locale !== undefined && IN_LANGUAGE.includes(path);
  const response = await fetchAnew(isInLanguage ? `${path}?langue=${locale}` : path);
  const mediaType = response.headers.get('content-type') ?? '';
  const isOurs =
    path === SHELL
      ? mediaType.startsWith('text/html') && (await languageOf(response.clone())) === locale
      : isFile(path, mediaType);
  if (!response.ok || !isOurs) throw new Error(`${path} is not answered by the application`);
  return response;
}

/** The decoder of barcodes: from the device, otherwise from the server and then on the device. */
async function answerScanner(request: Request): Promise<Response> {
  const cache = await caches.open(SCANNER_CACHE);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const response = await fetchOurs(request.url);
  await cache.put(request.url, response.clone());
  return response;
}

/** Where the device has used the scanner before: it can scan in a bookshop without a network. */
async function keepScanner(): Promise<void> {
  const cache = await caches.open(SCANNER_CACHE);
  const kept = await cache.keys();
  if (kept.length === 0) return;
  await keepIn(cache, SCANNER);
  const wanted = SCANNER.map((path) => new URL(path, location.origin).href);
  await Promise.all(
    kept.filter(({ url }) => !wanted.includes(url)).map((one) => cache.delete(one)),
  );
}
