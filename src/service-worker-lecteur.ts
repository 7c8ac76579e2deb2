export const CACHE_LECTEUR = 'rayonnage-lecteur';

/** The reader of barcodes: from the device, otherwise from the server and then on the device. */
export async function lecteurGarde(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE_LECTEUR);
  const garde = await cache.match(request.url);
  if (garde !== undefined) return garde;
  const reponse = await fetch(request);
  if (reponse.ok && !reponse.redirected) await cache.put(request.url, reponse.clone());
  return reponse;
}

/**
 * A device that has used the reader has it at hand after a new version too: what it scans with in
 * a bookshop was loaded at home.
 */
export async function garderLecteur(chemins: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE_LECTEUR);
  const gardes = await cache.keys();
  if (gardes.length === 0) return;
  await cache.addAll(
    chemins.map((chemin) => new Request(chemin, { cache: 'no-cache', redirect: 'error' })),
  );
  const voulus = chemins.map((chemin) => new URL(chemin, location.origin).href);
  await Promise.all(
    gardes.filter(({ url }) => !voulus.includes(url)).map((garde) => cache.delete(garde)),
  );
}
