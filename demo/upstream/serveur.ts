import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { normaliser } from '#shared/text';
import { DOCUMENTS, EDITIONS, TRAVAUX } from './editions.ts';
import { repondreSru } from './sru.ts';

/** A local server that plays both outside catalogues, so that a trial needs no network. */
export interface Amont {
  readonly bnfSruUrl: string;
  readonly openLibraryUrl: string;
  /** The requests received, as path and query. */
  readonly demandes: readonly string[];
  /** What each answer took of its own accord, in milliseconds. */
  readonly attentes: readonly number[];
  readonly close: () => Promise<void>;
}

export interface Jeu {
  readonly port?: number;
  /** Milliseconds before each answer. */
  readonly delai?: number;
  /** Answers in place of the catalogues, when it returns true. */
  readonly avant?: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;
}

/** Starts playing on loopback; on a free port unless one is named. */
export async function jouerAmont({ port = 0, delai = 0, avant }: Jeu = {}): Promise<Amont> {
  const demandes: string[] = [];
  const attentes: number[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://amont');
    demandes.push(request.url ?? '/');
    const debut = performance.now();
    void pause(delai).then(() => {
      attentes.push(performance.now() - debut);
      if (avant?.(request, response, url) !== true) repondre(url, response);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const adresse = server.address();
  if (adresse === null || typeof adresse === 'string') throw new Error('No port');
  const base = `http://127.0.0.1:${String(adresse.port)}`;
  return {
    bnfSruUrl: `${base}/api/SRU`,
    openLibraryUrl: base,
    demandes,
    attentes,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function repondre({ pathname, searchParams }: URL, response: ServerResponse): void {
  if (pathname === '/api/SRU') {
    response
      .setHeader('Content-Type', 'application/xml;charset=UTF-8')
      .end(repondreSru(searchParams));
  } else if (pathname === '/search.json') {
    const docs = chercher(searchParams.get('title') ?? '', searchParams.get('author') ?? '');
    json(response, 200, { numFound: docs.length, docs });
  } else {
    repondreDocument(pathname.replace(/\.json$/u, ''), response);
  }
}

function repondreDocument(cle: string, response: ServerResponse): void {
  const edition = EDITIONS.find(({ isbn13 }) => cle === `/isbn/${isbn13}`);
  const document = DOCUMENTS[cle] ?? EDITIONS.find((autre) => autre.cle === cle)?.contenu;
  if (edition !== undefined) {
    response.writeHead(302, { Location: `${edition.cle}.json` }).end();
  } else if (document !== undefined) {
    json(response, 200, { key: cle, ...document });
  } else {
    json(response, 404, { error: 'notfound', key: cle });
  }
}

function chercher(titre: string, auteur: string) {
  const mots = normaliser(`${titre} ${auteur}`).split(' ');
  return TRAVAUX.filter(({ title, author_name }) => {
    const texte = normaliser(`${title} ${author_name.join(' ')}`).split(' ');
    return mots.every((mot) => texte.includes(mot));
  });
}

function json(response: ServerResponse, status: number, corps: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(corps));
}
