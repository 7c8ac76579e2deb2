import type { Dispatcher } from 'undici';

const REDIRECTIONS = new Set([301, 302, 303, 307, 308]);

/** Where an answer sends on to, `null` when it does not. Throws on an address that is none. */
export function redirection(
  { statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>,
  from: URL,
): URL | null {
  if (!REDIRECTIONS.has(statusCode)) return null;
  const { location } = headers;
  if (typeof location !== 'string') throw new Error('A redirect to nowhere');
  return new URL(location, from);
}
