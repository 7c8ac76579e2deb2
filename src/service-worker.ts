/// <reference types="@sveltejs/kit" />
import { build, files, version } from '$service-worker';
import { CACHE_COUVERTURES, COUVERTURES, couvertureGardee } from './service-worker-couvertures.ts';
import { CACHE_LECTEUR, garderLecteur, lecteurGarde } from './service-worker-lecteur.ts';

/** Keeps the application itself on the device; the household's records are the replica's matter. */
declare const self: ServiceWorkerGlobalScope;

const CACHE = `rayonnage-${version}`;

/** The page that every address is answered with; Kit does not list it among its files. */
const COQUILLE = '/shell.html';

/** The reader of barcodes, large and seldom wanted: kept from its first use on. */
const LECTEUR = build.filter((chemin) => chemin.endsWith('.wasm'));

const CONSERVES = [COQUILLE, ...build.filter((chemin) => !LECTEUR.includes(chemin)), ...files];

self.addEventListener('install', (evenement) => {
  evenement.waitUntil(conserver());
});

self.addEventListener('activate', (evenement) => {
  evenement.waitUntil(Promise.all([oublierLesAutres(), self.clients.claim()]));
});

self.addEventListener('message', ({ data }) => {
  // The word of src/lib/mises-a-jour.ts: the reader wants the new version.
  if (data === 'prendreLaMain') void self.skipWaiting();
});

self.addEventListener('fetch', (evenement) => {
  const { request } = evenement;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (pathname === COUVERTURES) evenement.respondWith(couvertureGardee(request));
  if (pathname.startsWith('/api/')) return;
  if (LECTEUR.includes(pathname)) evenement.respondWith(lecteurGarde(request));
  else if (request.mode === 'navigate') {
    // Signing in needs the layer in front of the server, so this one goes past the cache.
    if (!searchParams.has('connexion')) evenement.respondWith(repondre(COQUILLE, request));
  } else if (CONSERVES.includes(pathname)) {
    evenement.respondWith(repondre(pathname, request));
  }
});

async function conserver(): Promise<void> {
  const cache = await caches.open(CACHE);
  // A redirect is the sign-on layer's page, and what the HTTP cache has may be another version's.
  await cache.addAll(
    CONSERVES.map((chemin) => new Request(chemin, { cache: 'no-cache', redirect: 'error' })),
  );
  await garderLecteur(LECTEUR);
}

async function oublierLesAutres(): Promise<void> {
  const noms = await caches.keys();
  const siens = [CACHE, CACHE_COUVERTURES, CACHE_LECTEUR];
  await Promise.all(noms.filter((nom) => !siens.includes(nom)).map((nom) => caches.delete(nom)));
}

/** From the cache; from the network where the browser has evicted it. */
async function repondre(chemin: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(chemin)) ?? fetch(request);
}
