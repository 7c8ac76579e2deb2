/// <reference types="@sveltejs/kit" />
import { base, build, files, version } from '$service-worker';
import { ThumbnailStore } from '../lib/sync/thumbnails/store.ts';
import { answerCover, isCover } from './couvertures.ts';
import { isRoute } from './routes.ts';

/** Keeps the application's files on the device; src/lib/sync keeps the household's records. */
declare const self: ServiceWorkerGlobalScope;

/** The paths of the screens, from the build (vite.config.ts). */
declare const __SCREENS__: readonly string[];

/** The language of the build. */
declare const __LOCALE__: string;

/** The prefix of our caches' names; another installation on the same host has another prefix. */
const CACHES = base === '' ? 'rayonnage-' : `rayonnage|${base}|`;

/** Two languages of a version have each their own; whoever has read in both keeps both. */
const OF_VERSION = `${CACHES}${version}|`;

const CACHE = OF_VERSION + __LOCALE__;

const SCANNER_CACHE = `${CACHES}scanner`;

/** The page that answers the address of every screen; Kit does not list it among its files. */
const SHELL = `${base}/shell.html`;

/** The files that a page of the application names; a page of a sign-on layer names none. */
const NAMED = /\/_app\/immutable\/[^"]+/g;

/** What the build names by a hash of its content. */
const HASHED = /\/_app\/immutable\//;

/** The decoder of barcodes is large and rarely used: it is kept from its first use on. */
const SCANNER = build.filter((path) => path.endsWith('.wasm'));

const KEPT = [...build.filter((path) => !SCANNER.includes(path)), ...files];

/** What a proxy answers for a service that does not. */
const UNREACHABLE = [502, 503, 504];

const thumbnails = new ThumbnailStore(base);

self.addEventListener('install', (event) => {
  event.waitUntil(keepAll());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([forgetOthers(), self.clients.claim()]));
});

/** What page.ts asks; each answer is how many files are missing then. */
self.addEventListener('message', (event) => {
  const [port] = event.ports;
  const answerWith = (work: Promise<number>) =>
    event.waitUntil(work.then((count) => port?.postMessage(count)));
  // The reader takes the new version.
  if (event.data === 'takeOver') void self.skipWaiting();
  else if (event.data === 'countMissing') answerWith(countMissing());
  else if (event.data === 'keepMissing') answerWith(keepMissing());
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
      event.respondWith(answer(SHELL, request));
    // Without a network the application answers an unknown address, not the browser.
    else if (!path.startsWith('/api/')) event.respondWith(answerOther(request));
  } else if (KEPT.includes(pathname)) event.respondWith(answer(pathname, request));
});

/** The server's answer; the application, where the server or what is behind its proxy does not answer. */
async function answerOther(request: Request): Promise<Response> {
  const response = await fetch(request).catch(() => null);
  return response === null || UNREACHABLE.includes(response.status)
    ? answer(SHELL, request)
    : response;
}

async function keepAll(): Promise<void> {
  await keepFiles([SHELL, ...KEPT]);
  await keepScanner();
}

async function keepFiles(paths: readonly string[]): Promise<void> {
  await keepIn(await caches.open(CACHE), paths);
}

const keepIn = (cache: Cache, paths: readonly string[]): Promise<unknown> =>
  Promise.all(
    paths.map(async (path) => cache.put(path, (await keptBefore(path)) ?? (await fetchOurs(path)))),
  );

/** A file whose name says its content, as an earlier version has it: only what has changed is fetched. */
async function keptBefore(path: string): Promise<Response | undefined> {
  if (!HASHED.test(path)) return undefined;
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES));
  const found = await Promise.all(names.map((cacheName) => caches.match(path, { cacheName })));
  return found.find((response) => response !== undefined);
}

/** The files that a start without a network would not find: a person, or a system short of room, has deleted them. */
async function missingFiles(): Promise<readonly string[]> {
  const cache = await caches.open(CACHE);
  const paths = [SHELL, ...KEPT];
  const found = await Promise.all(paths.map((path) => cache.match(path)));
  return paths.filter((_, nth) => found[nth] === undefined);
}

const countMissing = async (): Promise<number> => (await missingFiles()).length;

let keeping: Promise<number> | null = null;

/** Once for all the pages that ask at the same time. */
const keepMissing = (): Promise<number> =>
  (keeping ??= fetchMissing().finally(() => (keeping = null)));

/** Of a version that the server has replaced the files are gone: they stay missing until the next one takes over. */
async function fetchMissing(): Promise<number> {
  const missing = await missingFiles();
  await Promise.allSettled(missing.map((path) => keepFiles([path])));
  return missing.length === 0 ? 0 : countMissing();
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  const isOurs = (name: string) => name.startsWith(OF_VERSION) || name === SCANNER_CACHE;
  await Promise.all(
    names
      .filter((name) => name.startsWith(CACHES) && !isOurs(name))
      .map((name) => caches.delete(name)),
  );
}

/** From the cache, or from the network where the browser has evicted the file. */
async function answer(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(path)) ?? fetch(request);
}

/** A sign-on layer may answer with a page of its own, and the server with that of another version: neither is kept. */
async function fetchOurs(path: string): Promise<Response> {
  // The browser's HTTP cache may hold another version.
  const response = await fetch(new Request(path, { cache: 'no-cache', redirect: 'error' }));
  const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html');
  const isOurs = path === SHELL ? isPage && (await isOurShell(response.clone())) : !isPage;
  if (!response.ok || !isOurs) throw new Error(`${path} is not answered by the application`);
  return response;
}

async function isOurShell(page: Response): Promise<boolean> {
  const named = (await page.text()).match(NAMED) ?? [];
  return named.length > 0 && named.every((path) => build.includes(base + path));
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
