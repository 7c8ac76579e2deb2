import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { enveloppe, xmlNotice } from '../../demo/upstream/sru.ts';
import { NOTICES } from '../../demo/upstream/notices.ts';
import { jouerAmont, type Amont } from '../../demo/upstream/serveur.ts';
import { temporaryFolder } from './base.ts';
import { openHouse, type House } from './house.ts';

/** How a source misbehaves in place of its answer. */
export type Conduite = (request: IncomingMessage, response: ServerResponse) => void;

export interface AmontDeTest extends Amont {
  /** Behaves so on every path that begins like this, until told otherwise. */
  conduire(debut: string, conduite: Conduite): void;
}

/** The played catalogues, with manners that the test decides; closed at its end. */
export async function amontDeTest(delai = 0): Promise<AmontDeTest> {
  const conduites = new Map<string, Conduite>();
  const amont = await jouerAmont({
    delai,
    avant: (request, response, { pathname }) => {
      const trouvee = [...conduites].find(([debut]) => pathname.startsWith(debut));
      trouvee?.[1](request, response);
      return trouvee !== undefined;
    },
  });
  onTestFinished(amont.close);
  return { ...amont, conduire: (debut, conduite) => void conduites.set(debut, conduite) };
}

/** A house whose outside catalogues are these; `delai` is its patience with them, in ms. */
export function maisonReliee(amont: Amont, delai = 5000): Promise<House> {
  return openHouse(join(temporaryFolder(), 'bibliotheque.sqlite'), {
    BNF_SRU_URL: amont.bnfSruUrl,
    OPEN_LIBRARY_URL: amont.openLibraryUrl,
    OPEN_LIBRARY_COVERS_URL: 'https://couvertures.example',
    UPSTREAM_TIMEOUT_MS: String(delai),
  });
}

const repond =
  (status: number, corps: string, entetes: Record<string, string> = {}): Conduite =>
  (_, response) =>
    void response.writeHead(status, entetes).end(corps);

const UNE = enveloppe(NOTICES.slice(0, 1).map(xmlNotice));

const DIAGNOSTIC = (prefixe: string): string =>
  `<${prefixe}:diagnostic xmlns:${prefixe}="http://www.loc.gov/zing/srw/diagnostic/">` +
  `<${prefixe}:uri>info:srw/diagnostic/1/10</${prefixe}:uri></${prefixe}:diagnostic>`;

const BOMBE =
  '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">' +
  Array.from({ length: 9 }, (_, i) => {
    const avant = i === 0 ? 'a' : `a${i}`;
    return `<!ENTITY a${i + 1} "${`&${avant};`.repeat(10)}">`;
  }).join('') +
  ']>';

/** Every way of saying nothing that a source was seen or feared to have. */
export const SILENCES: Readonly<Record<string, Conduite>> = {
  'never answers': () => undefined,
  'cuts the connection': (request) => void request.socket.destroy(),
  'answers drop by drop': (_, response) => {
    response.writeHead(200);
    const goutte = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(goutte));
  },
  'stops in the middle': (request, response) => {
    response.writeHead(200, { 'Content-Length': UNE.length }).write(UNE.slice(0, 400));
    setTimeout(() => request.socket.destroy(), 20);
  },
  'answers with half a document': repond(200, UNE.slice(0, UNE.length / 2)),
  'answers with a page of HTML': repond(200, '<!doctype html><title>Maintenance</title><p>Bientôt'),
  'answers with a well-formed page': repond(200, '<html><body>Maintenance</body></html>'),
  'answers with nothing': repond(200, ''),
  'answers with 20 MB': (_, response) => {
    const bloc = Buffer.alloc(1024 * 1024, ' ');
    response.writeHead(200);
    const envoyer = (reste: number): void => {
      if (reste === 0) response.end();
      else response.write(bloc, (error) => error ?? envoyer(reste - 1));
    };
    envoyer(20);
  },
  'announces 20 MB': (_, response) => {
    response.writeHead(200, { 'Content-Length': 20 * 1024 * 1024 }).write(' ');
  },
  'answers with a bomb of entities': repond(200, UNE.replace('?>', `?>${BOMBE}`)),
  'answers with a compressed body': repond(200, UNE, { 'Content-Encoding': 'gzip' }),
  'answers 429': repond(429, '', { 'Retry-After': '60' }),
  'answers 500': repond(500, UNE),
  'answers 503': repond(503, ''),
  'redirects in a circle': repond(302, '', { Location: '/api/SRU' }),
  'redirects to another host': repond(302, '', { Location: 'http://localhost:9/api/SRU' }),
  'redirects to nowhere': repond(302, ''),
};

/** Those that only a source of XML has. */
export const DIAGNOSTICS: Readonly<Record<string, Conduite>> = {
  'a diagnostic': repond(
    200,
    UNE.replace('<srw:records>', `<srw:diagnostics>${DIAGNOSTIC('sd')}</srw:diagnostics>$&`),
  ),
  'a diagnostic under another prefix': repond(
    200,
    UNE.replace('<srw:records>', `${DIAGNOSTIC('diag')}$&`),
  ),
  'a diagnostic in place of a record': repond(200, enveloppe([DIAGNOSTIC('d')])),
  'a diagnostic and nothing else': repond(200, DIAGNOSTIC('x')),
  'records that are not there': repond(200, enveloppe([], { nombre: 3 })),
};

export const silence = (nom: string): Conduite => {
  const conduite = SILENCES[nom] ?? DIAGNOSTICS[nom];
  if (conduite === undefined) throw new Error(`No such silence: ${nom}`);
  return conduite;
};
