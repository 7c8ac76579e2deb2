import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Context } from '#server/start/context';
import { serve } from './server.ts';
import { signedIn } from './sign-on.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A complete service for one test: a new database, and real HTTP on loopback. */
export interface House {
  readonly url: string;
  readonly context: Context;
  /** The headers that the sign-on layer sends for a user; none for an unknown caller. */
  headersOf(utilisateur: string | null): Record<string, string>;
  /** Sends a request as a user, or as an unknown caller for `null`; `body` is sent as JSON. */
  ask(utilisateur: string | null, method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

/** A household that is closed after the test; opens the database at `databasePath` if given. */
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

/** Node's own client: `fetch` takes four times as long for a request. */
async function ask(
  url: string,
  utilisateur: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const headers = { ...signedIn(utilisateur), ...type };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(url + path, { method, headers }, resolve).on('error', reject);
    // Bytes, since before a string Node would also encode the headers as UTF-8.
    request.end(body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
  });
  let text = '';
  response.setEncoding('utf8').on('data', (part: string) => (text += part));
  await once(response, 'end');
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(
      Object.entries(response.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    ),
    body: text === '' ? null : JSON.parse(text),
  };
}
