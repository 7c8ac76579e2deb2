import type { Dispatcher } from 'undici';

/**
 * The whole body of an answer, at most `limit` bytes of it. Throws on a longer one, announced or
 * not, and on a compressed one: none was asked for, and what it unfolds to has no bound.
 */
export async function readBody(
  { headers, body }: Pick<Dispatcher.ResponseData, 'headers' | 'body'>,
  limit: number,
): Promise<Buffer> {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    throw await refuse(body, 'The answer is compressed');
  }
  if (Number(headers['content-length'] ?? 0) > limit) {
    throw await refuse(body, 'The answer is too long');
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > limit) throw new Error('The answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Leaves an answer unread; a long one closes its connection. */
export async function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: 16_384 });
}

async function refuse(body: Dispatcher.ResponseData['body'], reason: string): Promise<Error> {
  await discard(body);
  return new Error(reason);
}
