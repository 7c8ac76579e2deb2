import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { normaliser } from '#shared/text';
import { answerCover, coverNumbers } from './covers.ts';
import { DOCUMENTS, EDITIONS, WORKS } from './editions.ts';
import { answerSru } from './sru.ts';

/** A local server that simulates both catalogues, so that trials need no network. */
export interface PlayedUpstream {
  readonly bnfSruUrl: string;
  readonly openLibraryUrl: string;
  /** The requests received, as path and query. */
  readonly requests: readonly string[];
  /** The delay of each response, in milliseconds. */
  readonly delays: readonly number[];
  readonly close: () => Promise<void>;
}

export interface PlayOptions {
  readonly port?: number;
  /** Milliseconds before each response. */
  readonly delayMs?: number;
  /** Handles a request instead of the catalogues if it returns true. */
  readonly intercept?: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;
}

/** Starts the server on loopback, by default on a free port. */
export async function playUpstream({
  port = 0,
  delayMs = 0,
  intercept,
}: PlayOptions = {}): Promise<PlayedUpstream> {
  const requests: string[] = [];
  const delays: number[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://amont');
    requests.push(request.url ?? '/');
    const start = performance.now();
    void pause(delayMs).then(() => {
      delays.push(performance.now() - start);
      if (intercept?.(request, response, url) !== true) void answer(url, response);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  const base = `http://127.0.0.1:${String(address.port)}`;
  return {
    bnfSruUrl: `${base}/api/SRU`,
    openLibraryUrl: base,
    requests,
    delays,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(url: URL, response: ServerResponse): Promise<void> {
  const cover = await answerCover(url);
  if (cover === null) answerQuestion(url, response);
  else if (cover === 404) response.writeHead(404).end();
  else response.writeHead(200, { 'Content-Type': 'image/jpeg' }).end(cover);
}

function answerQuestion({ pathname, searchParams }: URL, response: ServerResponse): void {
  if (pathname === '/api/SRU') {
    response
      .setHeader('Content-Type', 'application/xml;charset=UTF-8')
      .end(answerSru(searchParams));
  } else if (pathname === '/search.json') {
    const docs = search(searchParams.get('title') ?? '', searchParams.get('author') ?? '');
    json(response, 200, { numFound: docs.length, docs });
  } else {
    answerDocument(pathname.replace(/\.json$/u, ''), response);
  }
}

function answerDocument(cle: string, response: ServerResponse): void {
  const edition = EDITIONS.find(({ isbn13 }) => cle === `/isbn/${isbn13}`);
  const document = DOCUMENTS[cle] ?? EDITIONS.find((other) => other.cle === cle)?.content;
  if (edition !== undefined) {
    response.writeHead(302, { Location: `${edition.cle}.json` }).end();
  } else if (document !== undefined) {
    json(response, 200, { key: cle, ...document, ...coversOf(cle) });
  } else {
    json(response, 404, { error: 'notfound', key: cle });
  }
}

/** The covers of an edition, as its record lists them. */
function coversOf(cle: string): { covers?: number[] } {
  const edition = EDITIONS.find((each) => each.cle === cle);
  return edition ? { covers: coverNumbers(edition.isbn13) } : {};
}

function search(titre: string, auteur: string) {
  const words = normaliser(`${titre} ${auteur}`).split(' ');
  return WORKS.filter(({ title, author_name }) => {
    const text = normaliser(`${title} ${author_name.join(' ')}`).split(' ');
    return words.every((word) => text.includes(word));
  });
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
