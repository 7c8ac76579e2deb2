/// <reference types="@sveltejs/kit" />
import { base, build, files, version } from '$service-worker';
import { ThumbnailStore } from '../lib/sync/thumbnails/store.ts';
import { CACHES, SCANNER_CACHE } from './caches.ts';
import { answerCover, isCover } from './couvertures.ts';
import { fetchOurs } from './ours.ts';
import { isRoute } from './routes.ts';
import { answerScanner, keepScanner } from './scanner.ts';

/** Keeps the application's files on the device; src/lib/sync keeps the household's records. */
declare const self: ServiceWorkerGlobalScope;

/** The paths of the screens, from the build (vite.config.ts). */
declare const __SCREENS__: readonly string[];

const CACHE = CACHES + version;

/** The page that answers the address of every screen; Kit does not list it among its files. */
const SHELL = `${base}/shell.html`;

/** A text that our shell has and no page of a sign-on layer. */
const PROOF = '/_app/immutable/';

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

self.addEventListener('message', ({ data }) => {
  // Sent by page.ts when the reader takes the new version.
  if (data === 'takeOver') void self.skipWaiting();
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
  const cache = await caches.open(CACHE);
  const keep = async (path: string, proof?: string) =>
    cache.put(path, await fetchOurs(path, proof));
  await Promise.all([keep(SHELL, PROOF), ...KEPT.map((path) => keep(path))]);
  await keepScanner(SCANNER);
}

async function forgetOthers(): Promise<void> {
  const names = await caches.keys();
  const ours = [CACHE, SCANNER_CACHE];
  await Promise.all(
    names
      .filter((name) => name.startsWith(CACHES) && !ours.includes(name))
      .map((name) => caches.delete(name)),
  );
}

/** From the cache, or from the network where the browser has evicted the file. */
async function answer(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(path)) ?? fetch(request);
}
