import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { champRefuse, Refusal } from '#shared/refusals';

const LIMIT = 1024 * 1024;
/** A body over the limit is read to its end and thrown away, so that its sender hears why. */
const READ_LIMIT = 16 * LIMIT;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Takes bodies as JSON in UTF-8 and as nothing else; an empty one is `undefined`. */
export function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    async (request: FastifyRequest, payload: Readable) => {
      const text = decode(await read(payload));
      if (text === '') return undefined;
      return new Promise((resolve, reject) => {
        void parse(request, text, (error, body) => {
          if (error) reject(error);
          else resolve(body);
        });
      });
    },
  );
  app.addContentTypeParser('*', async (_request: unknown, payload: Readable) => {
    if ((await read(payload)).length > 0) throw new Refusal('TYPE_REFUSE');
  });
}

async function read(payload: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  const received: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false });
  for await (const chunk of received) {
    length += chunk.length;
    if (length <= LIMIT) chunks.push(chunk);
    else if (length > READ_LIMIT) break;
  }
  if (length > LIMIT) throw new Refusal('CORPS_TROP_GRAND');
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw champRefuse('corps', 'n’est pas en UTF-8');
  }
}
