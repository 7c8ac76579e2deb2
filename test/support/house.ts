import type { Context } from '#server/context';
import { serve } from './server.ts';
import { signedIn } from './sign-on.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A whole service of its own for one test: a fresh database behind real HTTP on loopback. */
export interface House {
  readonly url: string;
  readonly context: Context;
  /** The headers that the sign-on layer sends for a user; none for an unknown caller. */
  headersOf(utilisateur: string | null): Record<string, string>;
  /** Asks an operation as a user, `null` being unknown; `body` goes as JSON. */
  ask(utilisateur: string | null, method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/**
 * Opens a house, closed at the end of the test; `databasePath` opens an existing database, and
 * `settings` are what else its environment says.
 */
export async function openHouse(
  databasePath?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<House> {
  const server = await serve({
    ...(databasePath !== undefined && { DATABASE_PATH: databasePath }),
    ...settings,
  });
  return { ...server, headersOf: signedIn, ask: (...request) => ask(server.url, ...request) };
}

async function ask(
  url: string,
  utilisateur: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...signedIn(utilisateur),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}
