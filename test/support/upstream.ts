import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import { RECORDS } from '../../demo/upstream/records.ts';
import { playUpstream, type PlayedUpstream } from '../../demo/upstream/server.ts';
import { temporaryFolder } from './database.ts';
import { openHouse, type House } from './house.ts';

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestUpstream extends PlayedUpstream {
  /** Sets the behaviour of all paths with this prefix, until `recover`. */
  behave(start: string, behaviour: Behaviour): void;
  recover(): void;
}

/** The simulated catalogues, closed after the test. */
export async function testUpstream(delayMs = 0): Promise<TestUpstream> {
  const behaviours = new Map<string, Behaviour>();
  const upstream = await playUpstream({
    delayMs,
    intercept: (request, response, { pathname }) => {
      const found = [...behaviours].find(([start]) => pathname.startsWith(start));
      found?.[1](request, response);
      return found !== undefined;
    },
  });
  onTestFinished(upstream.close);
  return {
    ...upstream,
    behave: (start, behaviour) => void behaviours.set(start, behaviour),
    recover: () => behaviours.clear(),
  };
}

/**
 * A household with these catalogues.
 *
 * @param delayMs its timeout for a silent catalogue
 */
export function houseWithSources(
  upstream: PlayedUpstream,
  delayMs = 60_000,
  settings: Readonly<Record<string, string>> = {},
): Promise<House> {
  return openHouse(join(temporaryFolder(), 'bibliotheque.sqlite'), {
    BNF_SRU_URL: upstream.bnfSruUrl,
    OPEN_LIBRARY_URL: upstream.openLibraryUrl,
    OPEN_LIBRARY_COVERS_URL: 'https://couvertures.example',
    UPSTREAM_TIMEOUT_MS: String(delayMs),
    ...settings,
  });
}

const answersWith =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const ONE_RECORD = envelope(RECORDS.slice(0, 1).map(recordXml));

const DIAGNOSTIC = (prefix: string): string =>
  `<${prefix}:diagnostic xmlns:${prefix}="http://www.loc.gov/zing/srw/diagnostic/">` +
  `<${prefix}:uri>info:srw/diagnostic/1/10</${prefix}:uri></${prefix}:diagnostic>`;

const ENTITY_BOMB =
  '<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa">' +
  Array.from({ length: 9 }, (_, i) => {
    const before = i === 0 ? 'a' : `a${i}`;
    return `<!ENTITY a${i + 1} "${`&${before};`.repeat(10)}">`;
  }).join('') +
  ']>';

/** Every way in which a catalogue has failed to answer, or might. */
export const SILENCES: Readonly<Record<string, Behaviour>> = {
  'never answers': () => undefined,
  'cuts the connection': (request) => void request.socket.destroy(),
  'answers drop by drop': (_, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drip));
  },
  'stops in the middle': (request, response) => {
    response
      .writeHead(200, { 'Content-Length': ONE_RECORD.length })
      .write(ONE_RECORD.slice(0, 400));
    setTimeout(() => request.socket.destroy(), 20);
  },
  'answers with half a document': answersWith(200, ONE_RECORD.slice(0, ONE_RECORD.length / 2)),
  'answers with a page of HTML': answersWith(
    200,
    '<!doctype html><title>Maintenance</title><p>Bientôt',
  ),
  'answers with a well-formed page': answersWith(200, '<html><body>Maintenance</body></html>'),
  'answers with nothing': answersWith(200, ''),
  'answers with 20 MB': (_, response) => {
    const block = Buffer.alloc(1024 * 1024, ' ');
    response.writeHead(200);
    const sendBlocks = (remaining: number): void => {
      if (remaining === 0) response.end();
      else response.write(block, (error) => error ?? sendBlocks(remaining - 1));
    };
    sendBlocks(20);
  },
  'announces 20 MB': (_, response) => {
    response.writeHead(200, { 'Content-Length': 20 * 1024 * 1024 }).write(' ');
  },
  'answers with a bomb of entities': answersWith(200, ONE_RECORD.replace('?>', `?>${ENTITY_BOMB}`)),
  'answers with a compressed body': answersWith(200, ONE_RECORD, { 'Content-Encoding': 'gzip' }),
  'answers 429': answersWith(429, '', { 'Retry-After': '60' }),
  'answers 500': answersWith(500, ONE_RECORD),
  'answers 503': answersWith(503, ''),
  'redirects in a circle': answersWith(302, '', { Location: '/api/SRU' }),
  'redirects to another host': answersWith(302, '', { Location: 'http://localhost:9/api/SRU' }),
  'redirects to nowhere': answersWith(302, ''),
};

export const DIAGNOSTICS: Readonly<Record<string, Behaviour>> = {
  'a diagnostic': answersWith(
    200,
    ONE_RECORD.replace('<srw:records>', `<srw:diagnostics>${DIAGNOSTIC('sd')}</srw:diagnostics>$&`),
  ),
  'a diagnostic under another prefix': answersWith(
    200,
    ONE_RECORD.replace('<srw:records>', `${DIAGNOSTIC('diag')}$&`),
  ),
  'a diagnostic in place of a record': answersWith(200, envelope([DIAGNOSTIC('d')])),
  'a diagnostic and nothing else': answersWith(200, DIAGNOSTIC('x')),
  'records that are not there': answersWith(200, envelope([], { count: 3 })),
};

export const silence = (name: string): Behaviour => {
  const behaviour = SILENCES[name] ?? DIAGNOSTICS[name];
  if (behaviour === undefined) throw new Error(`No such silence: ${name}`);
  return behaviour;
};
