import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** A tenth less to send than by the plugin's own 4, for a quarter more time. */
const BROTLI_QUALITY = 5;

/**
 * Up to this size an answer is compressed in its turn. A stream keeps what it works with until it ends:
 * of two hundred devices that pull at once it took 200 MB, which are not given back.
 */
const MAX_AT_ONCE_BYTES = 1024 * 1024;

/**
 * Compresses answers of more than 1 kB as the caller accepts it; those that are compressed already,
 * images and the event stream stay as they are (docs/rules.md § 28).
 */
export async function addCompression(app: FastifyInstance): Promise<void> {
  // A compressed body of a request is not decompressed: its decompressed size has no bound.
  await app.register(compress, {
    encodings: ['br', 'zstd', 'gzip'],
    globalDecompression: false,
    syncThreshold: MAX_AT_ONCE_BYTES,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
  });
  // Fastify empties the answer to a HEAD in the last hook of its route, and the plugin adds its own
  // behind: put first, it gives a HEAD the headers of the GET.
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' || !Array.isArray(route.onSend)) return;
    route.onSend = [...route.onSend.slice(-1), ...route.onSend.slice(0, -1)];
  });
}
