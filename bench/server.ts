import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LivreDocument } from '#shared/livres';
import { Server } from '../test/e2e/support/server.ts';
import { makeLivres } from './support/livres.ts';
import { householdOf, plainHouseholdOf } from './support/household.ts';
import { CALLER, timeRequests } from './support/load.ts';
import { bound, print, ratio } from './support/report.ts';
import { residentMegabytes } from './support/memory.ts';

const REQUESTS = 1000;

/** Measures a list of 50 over HTTP, beside the same bytes from plain Fastify. */
export async function benchList(livres: readonly LivreDocument[]): Promise<void> {
  const household = await householdOf(livres);
  const paths = ['/api/livres?limite=50'];
  const [ours = [], theirs = []] = await besideBuffer(household.server, paths, 1);
  print(`HTTP, ${livres.length} books`, [
    ratio('a list of 50 / the same buffer', ours, theirs, 1.7),
  ]);
  await household.end();
}

/** Measures searches for parts of words in 100,000 generated books, and the server's memory for them. */
export async function benchSearch(): Promise<void> {
  const livres = makeLivres(100_000);
  const household = await plainHouseholdOf(livres);
  const paths = partsOfWords(livres).map(
    (part) => `/api/livres?limite=50&recherche=${encodeURIComponent(part)}`,
  );
  const measures = [];
  for (const connections of [1, 8]) {
    const [ours = [], theirs = []] = await besideBuffer(household.server, paths, connections);
    const what = `a part of a word, list of 50, connections: ${connections}`;
    measures.push(ratio(what, ours, theirs, 10));
  }
  const memory = bound('memory of the server', residentMegabytes(household.server.pid), 200, 'MB');
  print('HTTP, 100000 books', [...measures, memory]);
  await household.end();
}

function partsOfWords(livres: readonly LivreDocument[]): string[] {
  const parts = livres
    .filter((_, i) => i % 499 === 0)
    .flatMap(({ titreNormalise }) => titreNormalise.split(' '))
    .filter((word) => word.length > 5)
    .map((word) => word.slice(1, 5));
  return [...new Set(parts)].slice(0, 100);
}

/**
 * Compares the service's responses with the same bytes from plain Fastify, alternately, in milliseconds a request.
 */
export async function besideBuffer(
  { url }: Server,
  paths: readonly string[],
  connections: number,
  requests = REQUESTS,
): Promise<number[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const file = join(folder, 'answers.json');
  const answers = paths.map(async (path) => {
    const response = await fetch(url + path, { headers: { SSO_USER: CALLER } });
    return [path, await response.text()] as const;
  });
  writeFileSync(file, JSON.stringify(Object.fromEntries(await Promise.all(answers))));
  const buffer = await Server.run(['bench/support/buffer.ts', file], {});
  const times = await timeRequests([url, buffer.url], paths, connections, requests);
  await buffer.stop();
  rmSync(folder, { recursive: true });
  return times;
}
