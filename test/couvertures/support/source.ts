import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** How a source responds to one path. */
export type Behaviour = (response: ServerResponse) => void;

/** A source of covers on loopback, closed after the test. */
export interface Source {
  readonly url: string;
  /** The requested paths, without queries. */
  readonly asked: string[];
  behave(path: string, behaviour: Behaviour): void;
  /** Removes all pictures. */
  fail(): void;
}

/** Starts a source without pictures; `behave` adds some. */
export async function openSource(): Promise<Source> {
  const asked: string[] = [];
  const behaviours = new Map<string, Behaviour>();
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://source');
    asked.push(pathname);
    const behaviour = behaviours.get(pathname + search) ?? behaviours.get(pathname);
    if (behaviour) behaviour(response);
    else response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    fail: () => behaviours.clear(),
  };
}

/** The open database's path of the cover of an ISBN. */
export const isbnPath = (isbn: string): string => `/b/isbn/${isbn}-L.jpg`;

export const gives =
  (content: Buffer, type = 'image/jpeg'): Behaviour =>
  (response) =>
    void response.writeHead(200, { 'Content-Type': type }).end(content);
