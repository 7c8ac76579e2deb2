import type { Dispatcher } from 'undici';
import application from '../../../package.json' with { type: 'json' };

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** An answer discarded beyond so many bytes closes its connection. */
const MAX_DISCARDED_BYTES = 16_384;

/** An answer that came, and makes no sense: too long, compressed, a redirect to nowhere. */
export class BadAnswer extends Error {}

/**
 * How the service names itself to other sites, with a contact: Open Library answers more requests
 * of those who give one. ASCII only, since old filters refuse anything else.
 */
export function userAgent(): string {
  const { name, version, homepage, author } = application;
  const product = `${name.charAt(0).toUpperCase()}${name.slice(1)}/${version}`;
  return `${product} (${homepage}; ${author.email})`.replace(/[^\x20-\x7e]/gu, '');
}

/**
 * The answer at the end of a chain of redirects, of at most `max` steps. `ask` requests one address;
 * what it throws, for an address that it does not allow, ends the chain.
 */
export async function followRedirects(
  start: URL,
  max: number,
  ask: (url: URL) => Promise<Dispatcher.ResponseData>,
): Promise<Dispatcher.ResponseData> {
  let url = start;
  for (let redirects = 0; redirects <= max; redirects++) {
    const response = await ask(url);
    const target = redirectTarget(response, url);
    if (target === null) return response;
    await discard(response.body);
    url = target;
  }
  throw new BadAnswer('Too many redirects');
}

/** The target of a redirect, `null` for another answer. Throws on a `Location` that is no address. */
function redirectTarget(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  from: URL,
): URL | null {
  if (!REDIRECT_STATUSES.has(statusCode)) return null;
  const { location } = headers;
  if (typeof location !== 'string') throw new BadAnswer('A redirect without a location');
  const target = URL.parse(location, from.href);
  if (target === null) throw new BadAnswer('A redirect to no address');
  return target;
}

/**
 * The whole body of an answer, at most `limit` bytes of it. Throws on a longer one, announced or
 * not, and on a compressed one: none was asked for, and its decompressed size has no bound.
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
    if (length > limit) throw new BadAnswer('The answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Leaves an answer unread; a long one closes its connection. */
export async function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  await body.dump({ limit: MAX_DISCARDED_BYTES });
}

async function refuse(body: Dispatcher.ResponseData['body'], reason: string): Promise<BadAnswer> {
  await discard(body);
  return new BadAnswer(reason);
}
