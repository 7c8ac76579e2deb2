import { SCANNER_CACHE } from './caches.ts';
import { fetchOurs } from './ours.ts';

/** The decoder of barcodes: from the device, otherwise from the server and then on the device. */
export async function answerScanner(request: Request): Promise<Response> {
  const cache = await caches.open(SCANNER_CACHE);
  const kept = await cache.match(request.url);
  if (kept !== undefined) return kept;
  const response = await fetchOurs(request.url);
  await cache.put(request.url, response.clone());
  return response;
}

/** Where the device has used the scanner before: it can scan in a bookshop without a network. */
export async function keepScanner(paths: readonly string[]): Promise<void> {
  const cache = await caches.open(SCANNER_CACHE);
  const kept = await cache.keys();
  if (kept.length === 0) return;
  await Promise.all(paths.map(async (path) => cache.put(path, await fetchOurs(path))));
  const wanted = paths.map((path) => new URL(path, location.origin).href);
  await Promise.all(
    kept.filter(({ url }) => !wanted.includes(url)).map((one) => cache.delete(one)),
  );
}
