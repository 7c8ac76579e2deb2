import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createApp } from '#server/app';
import { readConfig } from '#server/config';
import { openContext, type Context } from '#server/start/context';
import { temporaryFolder } from './database.ts';
import { writeEmptyDatabase } from './template.ts';

export interface RunningServer {
  readonly url: string;
  readonly context: Context;
  close(): Promise<void>;
}

/**
 * A complete service for one test, with real HTTP on loopback.
 *
 * @param settings environment variables
 * @param clientPath the folder of a built client, by default an empty one
 */
export async function serve(
  settings: Record<string, string> = {},
  clientPath = temporaryFolder(),
): Promise<RunningServer> {
  const databasePath = settings['DATABASE_PATH'] ?? join(temporaryFolder(), 'bibliotheque.sqlite');
  writeEmptyDatabase(databasePath);
  const config = readConfig({
    LOG_LEVEL: 'silent',
    BACKUP_PATH: 'non',
    ...settings,
    DATABASE_PATH: databasePath,
  });
  const context = openContext({ ...config, clientPath });
  const app = await createApp(context);
  await app.listen({ host: '127.0.0.1', port: 0 });
  // A server on a port has an address of this type.
  const { port } = app.server.address() as AddressInfo;
  const close = once(() => app.close().then(() => context.database.close()));
  onTestFinished(close);
  const scheme = config.tls ? 'https' : 'http';
  const url = `${scheme}://127.0.0.1:${String(port)}${config.basePath}`;
  return { url, context, close };
}

/** Runs the work at the first call only, then releases what its closure holds, for tests with many households. */
function once(work: () => Promise<void>): () => Promise<void> {
  let waiting: typeof work | null = work;
  let done = Promise.resolve();
  return () => {
    if (waiting !== null) done = waiting();
    waiting = null;
    return done;
  };
}

export interface Sent {
  readonly method?: string;
  /** Names and values in turn, sent unchanged, duplicates too. */
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
  readonly ca?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Partial<Record<string, string>>>;
  readonly bytes: Buffer;
  readonly text: string;
  readonly json: () => Record<string, unknown>;
}

/** Sends one request on its own connection, also one that `fetch` would refuse. */
export function send(
  url: string,
  { method = 'GET', headers = [], body, ca }: Sent = {},
): Promise<Received> {
  const { hostname, port, protocol } = new URL(url);
  const path = url.slice(new URL(url).origin.length) || '/';
  const length = body === undefined ? [] : ['Content-Length', String(Buffer.byteLength(body))];
  const host = headers.some((name) => name.toLowerCase() === 'host')
    ? []
    : ['Host', `${hostname}:${port}`];
  const options = {
    host: hostname,
    port,
    method,
    path,
    agent: false,
    headers: [...host, ...length, ...headers],
  };
  return new Promise((resolve, reject) => {
    const sent = protocol === 'https:' ? httpsRequest({ ...options, ca }) : httpRequest(options);
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
          ),
          bytes,
          text,
          json: () => JSON.parse(text) as Record<string, unknown>,
        });
      });
    });
    sent.end(body);
  });
}

/** Sends raw bytes, and returns everything that the server answers before it closes the connection. */
export function sendBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => (answer += chunk.toString('utf8')));
    socket.on('close', () => resolve(answer));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET') reject(error);
    });
  });
}
