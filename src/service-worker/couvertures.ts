import PQueue from 'p-queue';
import type { ThumbnailStore } from '../lib/sync/thumbnails/store.ts';

/** The relay of covers that the server has not kept yet (shared/couvertures.ts). */
const RELAY = '/api/couvertures';

const THUMBNAIL = /^\/api\/couvertures\/([0-9a-f]{64})\/ligne$/;

/** How many covers are asked for at a time: over HTTP/1.1 there are six connections, and all else needs some. */
const MAX_REQUESTS = 3;

/** How long a cover may take, in milliseconds: one that hangs would keep its turn from the others. */
const LIMIT_MS = 30_000;

const requests = new PQueue({ concurrency: MAX_REQUESTS });

/** True for a cover of which a screen shows many: a thumbnail, or one that comes through the relay. */
export const isCover = (path: string): boolean => path === RELAY || THUMBNAIL.test(path);

/** The kept thumbnail, otherwise the server's answer; `path` is below the application's base. */
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

/** `null` for a cover that is not kept, and where the device blocks the store. */
async function readKept(store: ThumbnailStore, cle: string): Promise<ArrayBuffer | null> {
  try {
    return await store.read(cle);
  } catch {
    return null;
  }
}
