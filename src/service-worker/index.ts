/// <reference types="@sveltejs/kit" />
import { base, build, files, version } from '$service-worker';
import { isLocale, LOCALES, type Locale } from '#shared/locale';
import { ThumbnailStore } from '../lib/sync/thumbnails/store.ts';
import { answerCover, isCover } from './couvertures.ts';
import { cachesOf, LanguageNote } from './language-note.ts';
import { isRoute } from './routes.ts';

/** Keeps the application's files on the device; src/lib/sync keeps the household's records. */
declare const self: ServiceWorkerGlobalScope;

/** The paths of the screens, from the build (vite.config.ts). */
declare const __SCREENS__: readonly string[];

/** The prefix of our caches' names; another installation on the same host has another prefix. */
const CACHES = cachesOf(base);

/** Each language of a version has its own cache; a device keeps all languages that were used. */
const OF_VERSION = `${CACHES}${version}|`;

const cacheOf = (locale: Locale): string => OF_VERSION + locale;

const note = new LanguageNote(base);

const SCANNER_CACHE = `${CACHES}scanner`;

/** The page that answers the address of every screen; Kit does not list it among its files. */
const SHELL = `${base}/shell.html`;

/** Resources with one address in all languages, chosen by `?langue=`. */
const IN_LANGUAGE = [SHELL, `${base}/manifest.webmanifest`];

/** The files that a page of the application names; a page of a sign-on layer names none. */
const NAMED = /\/_app\/immutable\/[^"]+/g;

/** Files named by a hash of their content. */
const HASHED = /\/_app\/immutable\//;

/** The barcode decoder is large and rarely used: cached at its first use. */
const SCANNER = build.filter((path) => path.endsWith('.wasm'));

/** The service's list of a language's files (scripts/support/client-build.ts). */
const listOf = (locale: Locale): string => `${base}/files.${locale}.json`;

const LISTS = LOCALES.map(listOf);

/** Sent by a page whose reader accepts the new version; the second is that of 0.1.0. */
// cspell:disable-next-line -- the word of 0.1.0
const ACCEPTED = ['takeOver', 'prendreLaMain'];

/** How long a page may take to load anew by itself, in milliseconds. */
const RELOAD_MS = 2_000;

/** The statuses of a proxy whose service does not respond. */
const UNREACHABLE = [502, 503, 504];

const thumbnails = new ThumbnailStore(base);

self.addEventListener('install', (event) => {
  event.waitUntil(keepAll());
});

const { promise: isInControl, resolve: takeControl } = Promise.withResolvers<undefined>();

self.addEventListener('activate', (event) => {
  const claimed = self.clients.claim().then(() => takeControl(undefined));
  event.waitUntil(Promise.all([forgetOthers(), claimed]));
});

/** Questions of page.ts, about a language or the present one; each answer is the number of missing files. */
self.addEventListener('message', (event) => {
  const [port] = event.ports;
  const [question, locale] = String(event.data).split(' ');
  const answerWith = (work: (locale: Locale) => Promise<number>) =>
    event.waitUntil(
      Promise.resolve(isLocale(locale) ? locale : readIn())
        .then((read) => read ?? languageOfServer())
        .then(work)
        .then((count) => port?.postMessage(count)),
    );
  if (ACCEPTED.includes(question ?? ''))
    event.waitUntil(takeOver(port === undefined ? event.source : null));
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
    // Offline the application shows unknown addresses instead of the browser's error.
    else if (!path.startsWith('/api/')) event.respondWith(answerOther(request));
  } else if (IN_LANGUAGE.includes(pathname)) event.respondWith(answerInLanguage(request));
  else if (HASHED.test(pathname) || files.includes(pathname))
    event.respondWith(answer(pathname, request));
});

/** @param asking a page of 1.0.0 or older, which does not reload by itself if no worker controlled it at first */
async function takeOver(asking: ExtendableMessageEvent['source']): Promise<void> {
  await self.skipWaiting();
  if (!(asking instanceof Client)) return;
  await isInControl;
  await new Promise((resolve) => setTimeout(resolve, RELOAD_MS));
  // A page that has loaded anew has another identifier.
  const page = await self.clients.get(asking.id);
  if (page instanceof WindowClient) await page.navigate(page.url);
}

/** The page in the chosen language; if it is not cached, the server's, else another language's. */
async function answerScreen(request: Request): Promise<Response> {
  const [chosen, ...pages] = await Promise.all([
    chosenLanguage(),
    ...LOCALES.map((locale) => caches.match(SHELL, { cacheName: cacheOf(locale) })),
  ]);
  const any = pages.find((page) => page !== undefined);
  const kept = chosen === null ? any : pages[LOCALES.indexOf(chosen)];
  if (kept !== undefined) return kept;
  return any === undefined ? fetch(request) : answerOr(request, () => any);
}

/** The server's response; the application if the server does not respond. */
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
async function chosenLanguage(): Promise<Locale | null> {
  const chosen = await note.read();
  return isLocale(chosen) ? chosen : null;
}

/** The present language: the chosen one, else the first cached one. */
async function readIn(): Promise<Locale | null> {
  const chosen = await chosenLanguage();
  if (chosen !== null) return chosen;
  const kept = await Promise.all(LOCALES.map((locale) => caches.has(cacheOf(locale))));
  return LOCALES[kept.indexOf(true)] ?? null;
}

/** The language in which the server answers this device. */
async function languageOfServer(): Promise<Locale> {
  const locale = await languageOf(await fetchAnew(SHELL));
  if (locale === null) throw new Error(`${SHELL} is not answered by the application`);
  return locale;
}

/** The language of a page; `null` for a page of a sign-on layer, or of another version. */
async function languageOf(page: Response): Promise<Locale | null> {
  const text = await page.text();
  const [, locale] = /<html lang="(\w+)"/.exec(text) ?? [];
  const named = text.match(NAMED) ?? [];
  if (named.length === 0 || !isLocale(locale)) return null;
  const built = await builtIn(locale);
  return named.every((path) => built.includes(base + path)) ? locale : null;
}

/** The files of a language in this version, as the device has the list, else as the service has it. */
async function builtIn(locale: Locale): Promise<readonly string[]> {
  const address = listOf(locale);
  const kept = await caches.match(address, { cacheName: cacheOf(locale) });
  const list = await listIn(kept ?? (await fetchAnew(address)));
  if (list === null) throw new Error(`${address} is not answered by this version`);
  return list;
}

/** The files that an answer lists; `null` for an answer of anybody else, or of another version. */
async function listIn(answer: Response): Promise<readonly string[] | null> {
  if (!answer.ok) return null;
  const list: unknown = await answer.json().catch(() => null);
  return isList(list) && list.version === version ? list.files.map((path) => base + path) : null;
}

const isList = (
  value: unknown,
): value is { readonly version: string; readonly files: readonly string[] } =>
  typeof value === 'object' && value !== null && 'version' in value && 'files' in value;

/** All that a start without a network needs in a language. */
async function neededIn(locale: Locale): Promise<readonly string[]> {
  const built = await builtIn(locale);
  const own = built.filter((path) => !SCANNER.includes(path));
  return [SHELL, listOf(locale), ...own, ...files];
}

/** Caches the device's language, those cached by earlier versions, and one chosen meanwhile. */
async function keepAll(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES));
  const before = LOCALES.filter((locale) => names.some((name) => name.endsWith(`|${locale}`)));
  const first = (await chosenLanguage()) ?? (await languageOfServer());
  for (const locale of new Set([first, ...before])) await keepLanguage(locale);
  const chosen = await chosenLanguage();
  if (chosen !== null && chosen !== first && !before.includes(chosen)) await keepLanguage(chosen);
  await keepScanner();
}

const keepLanguage = async (locale: Locale): Promise<void> =>
  keepFiles(locale, await neededIn(locale));

async function keepFiles(locale: Locale, paths: readonly string[]): Promise<void> {
  await keepIn(await caches.open(cacheOf(locale)), paths, locale);
}

const keepIn = (cache: Cache, paths: readonly string[], locale?: Locale): Promise<unknown> =>
  Promise.all(
    paths.map(async (path) =>
      cache.put(path, (await keptBefore(path)) ?? (await fetchOurs(path, locale))),
    ),
  );

/** A hashed file from an earlier version's cache: only changed files are fetched. */
async function keptBefore(path: string): Promise<Response | undefined> {
  if (!HASHED.test(path)) return undefined;
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES));
  const found = await Promise.all(names.map((cacheName) => caches.match(path, { cacheName })));
  return found.find((response) => response !== undefined);
}

/** The files missing for an offline start: deleted by a person, or by a system short of space. */
async function missingFiles(locale: Locale): Promise<readonly string[]> {
  // Without any list of files, all are missing.
  const paths = await neededIn(locale).catch(() => [SHELL, listOf(locale)]);
  const cacheName = cacheOf(locale);
  if (!(await caches.has(cacheName))) return paths;
  const cache = await caches.open(cacheName);
  const found = await Promise.all(paths.map((path) => cache.match(path)));
  return paths.filter((_, nth) => found[nth] === undefined);
}

const countMissing = async (locale: Locale): Promise<number> => (await missingFiles(locale)).length;

const keeping = new Map<Locale, Promise<number>>();

/** Shared by all pages that ask at the same time. */
function keepMissing(locale: Locale): Promise<number> {
  const begun = keeping.get(locale);
  if (begun !== undefined) return begun;
  const work = fetchMissing(locale).finally(() => keeping.delete(locale));
  keeping.set(locale, work);
  return work;
}

/** The server no longer has the files of a replaced version: they stay missing until the next one takes over. */
async function fetchMissing(locale: Locale): Promise<number> {
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

/** From the cache, or from the network if the browser has evicted the file. */
async function answer(path: string, request: Request): Promise<Response> {
  const found = await Promise.all(
    LOCALES.map((locale) => caches.match(path, { cacheName: cacheOf(locale) })),
  );
  return found.find((response) => response !== undefined) ?? fetch(request);
}

async function answerInLanguage(request: Request): Promise<Response> {
  const locale = await readIn();
  if (locale === null) return fetch(request);
  const { pathname } = new URL(request.url);
  return (await caches.match(pathname, { cacheName: cacheOf(locale) })) ?? fetch(request);
}

/** The browser's HTTP cache may have another version. */
const fetchAnew = (path: string): Promise<Response> =>
  fetch(new Request(path, { cache: 'no-cache', redirect: 'error' }));

/** Expected media types by file extension. */
const MEDIA_TYPES = new Map([
  ['js', 'javascript'],
  ['css', 'css'],
  ['json', 'json'],
  ['webmanifest', 'json'],
]);

/** A layer in front of the server may answer with its own page or JSON. */
function isFile(path: string, mediaType: string): boolean {
  const due = MEDIA_TYPES.get(path.split('.').at(-1) ?? '');
  return due === undefined ? !/html|json/.test(mediaType) : mediaType.includes(due);
}

/** A page is cached only in the requested language and, like the list of files, of this version. */
async function fetchOurs(path: string, locale?: Locale): Promise<Response> {
  const isInLanguage = locale !== undefined && IN_LANGUAGE.includes(path);
  const response = await fetchAnew(isInLanguage ? `${path}?langue=${locale}` : path);
  const mediaType = response.headers.get('content-type') ?? '';
  const isOurs =
    path === SHELL
      ? mediaType.startsWith('text/html') && (await languageOf(response.clone())) === locale
      : isFile(path, mediaType) &&
        (!LISTS.includes(path) || (await listIn(response.clone())) !== null);
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

/** If the device has used the scanner before, so that it works offline in a bookshop. */
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
