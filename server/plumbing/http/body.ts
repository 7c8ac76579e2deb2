import { createHash, type Hash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { httpErrors } from '@fastify/sensible';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { champRefusal } from '#shared/refusals';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body is a file of any media type, and whether its operation reads it as it comes. */
    file?: 'whole' | 'streamed';
  }
  interface FastifyRequest {
    /** The body as it came; `null` before it is read, and where there is none. */
    bodyBytes: Buffer | null;
    /** The body of an operation that reads its file itself; it ends with an error where it is too long. */
    bodyStream: Readable | null;
    /** The digest of what has come of `bodyStream`. */
    bodyHash: Hash | null;
  }
}

/**
 * The least that has to come of a body, or its end, in each minute that it is waited for, and the least that has
 * to be taken of a long answer. Node's `requestTimeout` bounds the whole of a body, however long it may be.
 */
export const MIN_RATE = { bytes: 64 * 1024, ms: 60_000 } as const;

/** A longer body is read this much further and discarded, so that its sender gets an answer. */
const MAX_BYTES_DISCARDED = 15 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Takes bodies as JSON in UTF-8, uncompressed, and as nothing else; an empty one is `undefined`. A route of a
 * `file` takes any media type. Fastify's own reading (`parseAs`) closes the connection of a sender whose body is
 * too long (`bodyLimit`), who then reads no answer, waits for a slow one without end and takes what is no UTF-8.
 */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.decorateRequest('bodyBytes', null);
  app.decorateRequest('bodyStream', null);
  app.decorateRequest('bodyHash', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: Readable) => {
      const bytes = await receive(request, payload);
      if (bytes === null) return undefined;
      if (namesOtherCharset(request)) throw httpErrors.unsupportedMediaType();
      request.bodyBytes = bytes;
      const text = decode(bytes);
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
    const bytes = await receive(request, payload);
    if (bytes !== null && bytes.length > 0) throw httpErrors.unsupportedMediaType();
  });
}

/** Reads a body; `null` for a file, which is left to its operation. */
async function receive(request: FastifyRequest, payload: Readable): Promise<Buffer | null> {
  const { config, bodyLimit } = request.routeOptions;
  const announced = Number(request.headers['content-length'] ?? NaN);
  if (config.file === 'streamed') {
    if (announced > bodyLimit) throw httpErrors.payloadTooLarge();
    request.bodyHash = createHash('sha256');
    request.bodyStream = Readable.from(limited(arriving(payload), bodyLimit, request.bodyHash));
    return null;
  }
  const bytes = await readWhole(payload, bodyLimit, Math.min(announced || bodyLimit, bodyLimit));
  // What it would be uncompressed has no bound.
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (bytes.length > 0 && encoding.toLowerCase() !== 'identity')
    throw httpErrors.unsupportedMediaType();
  if (config.file === undefined) return bytes;
  request.bodyBytes = bytes;
  return null;
}

/** Passes bytes on up to a limit. */
async function* limited(
  source: AsyncIterable<Buffer>,
  max: number,
  hash: Hash,
): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > max) throw httpErrors.payloadTooLarge();
    hash.update(chunk);
    yield chunk;
  }
}

/** True where the media type names another encoding of text than UTF-8. */
const namesOtherCharset = ({ headers }: FastifyRequest): boolean =>
  /;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))/i.test(headers['content-type'] ?? '');

/**
 * A body in one buffer, which grows with what has come: one that is only announced takes nothing.
 *
 * @param size how long it may become, in bytes
 */
async function readWhole(payload: Readable, max: number, size: number): Promise<Buffer> {
  let body: Buffer = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of arriving(payload)) {
    const end = length + chunk.length;
    if (end > max + MAX_BYTES_DISCARDED) break;
    if (end <= max) {
      if (end > body.length) body = grown(body, Math.min(2 * end, size));
      chunk.copy(body, length);
    }
    length = end;
  }
  if (length > max) throw httpErrors.payloadTooLarge();
  return body.subarray(0, length);
}

function grown(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(size);
  buffer.copy(larger);
  return larger;
}

/**
 * The chunks of a body as they come. Throws 408 where they are slower than `MIN_RATE`; what
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

/** What is promised; throws 408 where it takes longer. */
async function within<T>(ms: number, promised: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(httpErrors.requestTimeout()), ms);
  return Promise.race([promised, late.promise]).finally(() => clearTimeout(timer));
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw champRefusal('corps', 'n’est pas en UTF-8');
  }
}

/** Passes the bytes of an answer on; ends with an error where less than `MIN_RATE` is taken of them. */
export function unlessUnread(): Transform {
  let taken = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      taken += chunk.length;
      done(null, chunk);
    },
  });
  const timer = setInterval(() => {
    if (taken < MIN_RATE.bytes) stream.destroy(new Error('Nobody reads the answer'));
    taken = 0;
  }, MIN_RATE.ms).unref();
  return stream.once('close', () => clearInterval(timer));
}
