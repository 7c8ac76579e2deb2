import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { champRefusal, Refusal } from '#shared/refusals';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The most bytes of a body that is a file of any media type. */
    bytes?: number;
    /** The file is left to the operation to read, in `bodyStream`. */
    streamed?: true;
  }
  interface FastifyRequest {
    /** The body as it came; `null` before it is read, and where there is none. */
    bodyBytes: Buffer | null;
    /** The body of an operation that reads its file itself; it ends with an error where it is too long. */
    bodyStream: Readable | null;
  }
}

const MAX_BYTES = 1024 * 1024;

/** The least that has to come of a body, or its end, in each minute that it is waited for. */
export const MIN_RATE = { bytes: 64 * 1024, ms: 60_000 } as const;

/** A longer body is read this much further and discarded, so that its sender gets an answer. */
const MAX_BYTES_DISCARDED = 15 * MAX_BYTES;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Takes bodies as JSON in UTF-8, uncompressed, and as nothing else; an empty one is `undefined`. A
 * route with `bytes` takes a file of any media type and finds it in `bodyBytes`.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('bodyBytes', null);
  app.decorateRequest('bodyStream', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: Readable) => {
      if (leaveToOperation(request, payload)) return undefined;
      request.bodyBytes = await readBody(request, payload);
      if (takesFile(request)) return undefined;
      if (namesOtherCharset(request)) throw new Refusal('TYPE_REFUSE');
      const text = decode(request.bodyBytes);
      if (text === '') return undefined;
      return new Promise((resolve, reject) => {
        void parse(request, text, (error, body) => {
          if (error) reject(error);
          else resolve(body);
        });
      });
    },
  );
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    if (leaveToOperation(request, payload)) return;
    const bytes = await readBody(request, payload);
    if (takesFile(request)) request.bodyBytes = bytes;
    else if (bytes.length > 0) throw new Refusal('TYPE_REFUSE');
  });
}

/** Hands a body over unread to an operation that wants it so. */
function leaveToOperation(request: FastifyRequest, payload: Readable): boolean {
  const { streamed, bytes = MAX_BYTES } = request.routeOptions.config;
  if (streamed !== true) return false;
  if (Number(request.headers['content-length'] ?? 0) > bytes) throw new Refusal('CORPS_TROP_GRAND');
  request.bodyStream = Readable.from(limited(arriving(payload), bytes));
  return true;
}

/** Passes bytes on up to a limit. */
async function* limited(source: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > max) throw new Refusal('CORPS_TROP_GRAND');
    yield chunk;
  }
}

const takesFile = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.bytes !== undefined;

/** True where the media type names another encoding of text than UTF-8. */
const namesOtherCharset = ({ headers }: FastifyRequest): boolean =>
  /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i.test(headers['content-type'] ?? '');

/** The body as it came; refuses a compressed one, whose decompressed size has no bound. */
async function readBody(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const bytes = await readBytes(request, payload);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (bytes.length > 0 && encoding.toLowerCase() !== 'identity') throw new Refusal('TYPE_REFUSE');
  return bytes;
}

/** A body whose length is announced is read into one buffer, so that a large file is not in memory twice. */
async function readBytes(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const max = request.routeOptions.config.bytes ?? MAX_BYTES;
  const announced = Number(request.headers['content-length'] ?? NaN);
  if (!(announced <= max)) return read(payload, max);
  const body = Buffer.allocUnsafe(announced);
  let length = 0;
  for await (const chunk of arriving(payload)) length += chunk.copy(body, length);
  return body.subarray(0, length);
}

/**
 * The chunks of a body as they come. Throws DEMANDE_TROP_LENTE where they are slower than `MIN_RATE`; what
 * the reader does with a chunk takes none of that time.
 */
async function* arriving(payload: Readable): AsyncGenerator<Buffer> {
  const received: AsyncIterator<Buffer> = payload.iterator({ destroyOnReturn: false });
  let bytes = 0;
  let msLeft: number = MIN_RATE.ms;
  for (;;) {
    const began = performance.now();
    const next = await within(msLeft, received.next());
    if (next.done === true) return;
    msLeft -= performance.now() - began;
    bytes += next.value.length;
    if (bytes >= MIN_RATE.bytes) {
      bytes = 0;
      msLeft = MIN_RATE.ms;
    }
    yield next.value;
  }
}

/** What is promised; throws DEMANDE_TROP_LENTE where it takes longer. */
async function within<T>(ms: number, promised: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Refusal('DEMANDE_TROP_LENTE')), ms);
  return Promise.race([promised, late.promise]).finally(() => clearTimeout(timer));
}

async function read(payload: Readable, max: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of arriving(payload)) {
    length += chunk.length;
    if (length <= max) chunks.push(chunk);
    else if (length > max + MAX_BYTES_DISCARDED) break;
  }
  if (length > max) throw new Refusal('CORPS_TROP_GRAND');
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw champRefusal('corps', 'n’est pas en UTF-8');
  }
}
