/**
 * Where covers come from (shared/couvertures.ts); the server keeps none, so each device keeps those
 * that it has shown.
 */
export const COUVERTURES = '/api/couvertures';

export const CACHE_COUVERTURES = 'rayonnage-couvertures';

/** How many covers a device keeps: a few shelves, some tens of megabytes at most. */
const MAXIMUM = 500;

/** A cover that was seen before, otherwise what the relay answers, which is kept when it is one. */
export async function couvertureGardee(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE_COUVERTURES);
  const gardee = await cache.match(request.url);
  if (gardee !== undefined) return gardee;
  const reponse = await fetch(request);
  if (estUneImage(reponse)) await garder(cache, request.url, reponse.clone());
  return reponse;
}

/** A page of the sign-on layer is no cover, whatever its status. */
const estUneImage = (reponse: Response): boolean =>
  reponse.status === 200 &&
  !reponse.redirected &&
  (reponse.headers.get('content-type') ?? '').startsWith('image/');

/** A cover that cannot be kept, on a full device for instance, is shown all the same. */
async function garder(cache: Cache, url: string, reponse: Response): Promise<void> {
  try {
    await cache.put(url, reponse);
    // In the order in which they were put.
    const gardees = await cache.keys();
    const anciennes = gardees.slice(0, Math.max(0, gardees.length - MAXIMUM));
    await Promise.all(anciennes.map((ancienne) => cache.delete(ancienne)));
  } catch {
    // The next look at it asks the relay again.
  }
}
