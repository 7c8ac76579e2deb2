import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatMotif } from '#shared/fusion-motif';
import type { LivreDocument } from '#shared/livres';
import { cleRegroupement } from '#shared/text';
import {
  auteurRecordByKey,
  listAuteurRecords,
  listSuggestions,
} from '#server/subjects/auteurs/auteurs';
import { Database } from '#server/plumbing/database/database';
import { renewAll } from '#server/start/context';
import { enterLivres } from './support/household.ts';
import { print, unbounded, type Measure } from './support/report.ts';
import { elapsed, median, timeRounds } from './support/timing.ts';

/** The number of books that are measured: on a real list they have some five thousand authors. */
const LIVRES = 8000;

/**
 * Measures how much authors add to entering books, the start-up pass, and the suggestions beside an empty loop over
 * all pairs, their lower bound. Also counts the suggestions for all books, and the names merged by the initials rule.
 */
export async function benchAuteurs(livres: readonly LivreDocument[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const database = Database.open(join(folder, 'auteurs.sqlite'));
  try {
    const entering = elapsed(() => enterLivres(database, livres.slice(0, LIVRES)));
    const count = listAuteurRecords(database).length;
    print(`${count} authors`, await measure(database, count, entering));
    enterLivres(database, livres.slice(LIVRES));
    await tellSuggestions(database);
    tellAbsorbed(database, livres);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

async function measure(database: Database, count: number, entering: number): Promise<Measure[]> {
  const suggesting: number[] = [];
  for (let round = 0; round < 7; round++) {
    const begin = performance.now();
    await listSuggestions(database, new AbortController().signal);
    suggesting.push(performance.now() - begin);
  }
  const allPairs = timeRounds(() => visitAllPairs(count));
  return [
    unbounded('entering books, an author', entering / count, 'ms'),
    unbounded(
      'start-up pass',
      timeRounds(() => renewAll(database)),
      'ms',
    ),
    unbounded('suggestions', suggesting, 'ms'),
    unbounded(
      'suggestions / an empty loop over all pairs',
      median(suggesting) / median(allPairs),
      '×',
    ),
  ];
}

async function tellSuggestions(database: Database): Promise<void> {
  const { suggestions, total } = await listSuggestions(database, new AbortController().signal);
  console.log(`\nSuggestions: ${total}`);
  for (const { auteurs, motif } of suggestions.slice(0, 50))
    console.log(`  ${auteurs[0].nom} / ${auteurs[1].nom}: ${formatMotif(motif)}`);
}

function tellAbsorbed(database: Database, livres: readonly LivreDocument[]): void {
  const noms = new Set(livres.flatMap(({ auteurs }) => auteurs.map(({ nom }) => nom)));
  const absorbed = [...noms].filter(
    (nom) => auteurRecordByKey(database, cleRegroupement(nom)) === undefined,
  );
  console.log(`\nAbsorbed by a full form: ${absorbed.join(', ') || 'none'}`);
}

function visitAllPairs(count: number): number {
  let visited = 0;
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) visited += (a ^ b) & 1;
  return visited;
}
