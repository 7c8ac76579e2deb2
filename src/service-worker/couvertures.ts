import PQueue from 'p-queue';
import type { ThumbnailStore } from '../lib/sync/thumbnails/store.ts';

/** The relay for covers that the server has not stored yet (shared/couvertures.ts). */
const RELAY = '/api/couvertures';

const THUMBNAIL = /^\/api\/couvertures\/([0-9a-f]{64})\/ligne$/;

/** How many covers are fetched at a time: HTTP/1.1 has six connections, and other requests need some. */
const MAX_REQUESTS = 3;

/** The timeout of a cover, in milliseconds, so that a hanging one does not block the others. */
const LIMIT_MS = 30_000;

const requests = new PQueue({ concurrency: MAX_REQUESTS });

/** True for covers that a screen shows many of: thumbnails, and those from the relay. */
export const isCover = (path: string): boolean => path === RELAY || THUMBNAIL.test(path);

/** The stored thumbnail, otherwise the server's response; `path` is below the application's base. */
export async function answerCover(
  store: ThumbnailStore,
  path: string,
  request: Request,
): Promise<Response> {
  const cle = THUMBNAIL.exec(path)?.[1];
  const bytes = cle === undefined ? null : await readKept(store, cle);
  if (bytes === null)
    return requests.add(() => fetch(request, { signal: AbortSignal.timeout(LIMIT_MS) }));
  return new Response(bytes, { headers: { 'content-type': 'image/webp' } });
}

/** `null` for a cover that is not stored, and if the store is blocked. */
async function readKept(store: ThumbnailStore, cle: string): Promise<ArrayBuffer | null> {
  try {
    return await store.read(cle);
  } catch {
    return null;
  }
}
