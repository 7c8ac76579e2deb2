import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { LivreDocument } from '#shared/livres';
import { Database } from '#server/plumbing/database/database';
import { seriesInBrackets } from '#server/subjects/importations/formats/table-format';
import { makeEssai, executerEssai } from '#server/subjects/importations/importations';
import { kinds, tables } from '#server/start/kinds';
import { Records } from '#server/plumbing/records/records';
import { insertRows, rowsOf } from './support/plain-insert.ts';
import { print, ratio, unbounded } from './support/report.ts';
import { elapsed } from './support/timing.ts';

const SHELVES = ['read', 'to-read', 'currently-reading'];

/**
 * Measures the dry run and the import of a file beside a lower bound: the CSV library parsing the same bytes, and one
 * plain INSERT per imported row, including the journal.
 */
export async function benchImportations(livres: readonly LivreDocument[]): Promise<void> {
  const file = makeFile(livres);
  const runs: { dryRun: number; execution: number; parsing: number; inserting: number }[] = [];
  for (let run = 0; run < 3; run++) {
    const ours = await withDatabase((database) => importFile(database, file));
    const parsing = elapsed(() => parse(file, { relax_quotes: true }));
    const inserting = await withDatabase(async (database) => insertRaw(database, livres));
    runs.push({ ...ours, parsing, inserting });
  }
  const roundsOf = (name: keyof (typeof runs)[number]) => runs.map((run) => run[name]);
  print(`Importing ${livres.length} lines (${(file.length / 1e6).toFixed(1)} MB)`, [
    unbounded('dry run', roundsOf('dryRun'), 'ms'),
    unbounded('import', roundsOf('execution'), 'ms'),
    ratio(
      'both / csv-parse and raw INSERT',
      runs.map(({ dryRun, execution }) => dryRun + execution),
      runs.map(({ parsing, inserting }) => parsing + inserting),
      4,
    ),
  ]);
}

const makeFile = (livres: readonly LivreDocument[]): Buffer =>
  Buffer.from(
    stringify([
      ['Book Id', 'Title', 'Author', 'Additional Authors', 'ISBN', 'Exclusive Shelf', 'My Review'],
      ...livres.map(({ id, titre, auteurs: [first, ...others] }, index) => [
        id,
        titre,
        first?.nom ?? '',
        others.map(({ nom }) => nom).join(', '),
        '="000000000X"',
        SHELVES[index % 3],
        'A review of a few words.',
      ]),
    ]),
  );

async function importFile(
  { options: place }: Database,
  file: Buffer,
): Promise<{ dryRun: number; execution: number }> {
  const options = { utilisateur: 'alice', nom: null, aLire: 'statut', colonnes: null } as const;
  // Opened as in the thread of a long write.
  const database = Database.openBeside(place);
  const records = new Records(database, kinds);
  const begin = performance.now();
  const id = await makeEssai(database, file, options);
  const dryRun = performance.now() - begin;
  const execution = elapsed(() =>
    database.write((tx) => executerEssai(records.within(tx), id, 'alice')),
  );
  database.close();
  return { dryRun, execution };
}

/**
 * Inserts books, authors, statuses, readings, series and places without any rule; all values are prepared beforehand.
 */
function insertRaw(database: Database, livres: readonly LivreDocument[]): number {
  const rows = rowsOf(livres);
  const series = seriesOf(livres);
  const names = new Map(
    livres.map(({ id, titre, auteurs }) => [
      id,
      [titre, JSON.stringify(auteurs.map(({ nom }) => nom))] as const,
    ]),
  );
  return elapsed(() =>
    database.write((tx) => {
      const serie = tx.prepare<[number, string]>(
        'INSERT INTO Serie (id, titre, position) VALUES (?, ?, 0)',
      );
      const place = tx.prepare<[number, string, number, number]>(
        'INSERT INTO Place (serieId, titre, livreId, position) VALUES (?, ?, ?, ?)',
      );
      const statut = tx.prepare<[number, number]>(
        "INSERT INTO Statut (livreId, utilisateur, statut) VALUES (?, 'alice', ?)",
      );
      const lecture = tx.prepare<[number, string, string]>(
        `INSERT INTO Lecture (utilisateur, livreId, titre, auteurs, avis)
         VALUES ('alice', ?, ?, ?, 'A review of a few words.')`,
      );
      insertRows(tx, rows, (id) => {
        statut.run(id, id % 3);
        lecture.run(id, ...(names.get(id) ?? ['', '[]']));
      });
      for (const [titre, { id, volumes }] of series) {
        serie.run(id, titre);
        volumes.forEach((volume, position) => place.run(id, volume.titre, volume.id, position));
      }
    }),
  );
}

function seriesOf(livres: readonly LivreDocument[]) {
  const series = new Map<string, { id: number; volumes: LivreDocument[] }>();
  for (const livre of livres)
    for (const { titre } of seriesInBrackets(livre.titre).series) {
      const found = series.get(titre);
      if (found) found.volumes.push(livre);
      else series.set(titre, { id: series.size + 1, volumes: [livre] });
    }
  return series;
}

async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const database = Database.open(join(folder, 'bibliotheque.sqlite'), undefined, {
    tables,
    coversUrl: '',
  });
  try {
    return await work(database);
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}
