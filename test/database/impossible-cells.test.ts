import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { collectionNames } from '#shared/collection-names';
import { findImpossibleValues } from '#server/start/impossible-values';
import { kinds, tables } from '#server/start/kinds';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { FULL, SERVICE_ROWS } from '../support/rows.ts';

const TABLES = [
  // The only column of a status that is not a key has a constraint.
  ...collectionNames
    .map((name) => kinds[name].projection.table)
    .filter((name) => name !== 'Statut'),
  'Theme',
  'Place',
  'Article',
  'LivreAuteur',
  'Trace',
  'Dormant',
  'Importation',
  'ImportationLigne',
];

const LISTS = [
  '/api/livres',
  '/api/livres/1',
  '/api/auteurs',
  '/api/series',
  '/api/emplacements',
  '/api/revues',
  '/api/souhaits',
  '/api/selections',
  '/api/modifications',
  '/api/lectures',
  '/api/objectifs',
  '/api/sante',
];

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Values of a wrong type; a constraint may refuse them. */
const VALUES: Readonly<Record<string, string>> = { TEXT: "x'00ff'", INTEGER: "'mille'" };

/** Damages every column of a table, and returns the names of those without a constraint. */
function spoil(path: string, table: string): string[] {
  const database = temporaryDatabase(path);
  database.write((tx) => [...FULL, ...SERVICE_ROWS].forEach((sql) => tx.run(sql)));
  const columns = database.all<Column>(
    `SELECT name, type FROM pragma_table_xinfo(?)
     WHERE hidden = 0 AND pk = 0 AND name NOT LIKE '%Id' AND name <> 'couvertureCle'`,
    table,
  );
  database.close();
  const db = new Sqlite(path);
  const spoilt = columns.filter(({ name, type }) => {
    const sql = `UPDATE OR IGNORE ${table} SET ${name} = ${VALUES[type] ?? 'NULL'}`;
    try {
      return db.prepare(sql).run().changes > 0;
    } catch (error) {
      if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT'))
        return false;
      throw error;
    }
  });
  db.close();
  return spoilt.map(({ name }) => name);
}

test('the constraints of goals refuse each impossible cell', () => {
  expect(spoil(join(temporaryFolder(), 'bibliotheque.sqlite'), 'Objectif')).toEqual([]);
});

test.each(TABLES.filter((table) => table !== 'Objectif'))(
  'a start shows what it can of impossible cells in %s, and tells them',
  async (table) => {
    const path = join(temporaryFolder(), 'bibliotheque.sqlite');
    const spoilt = spoil(path, table);
    expect(spoilt.length).toBeGreaterThan(0);
    const house = await openHouse(path);
    const answers = await Promise.all(
      LISTS.map(async (address) => [address, (await house.ask('ana', 'GET', address)).status]),
    );
    expect(answers).toEqual(LISTS.map((address) => [address, 200]));
    const findings = findImpossibleValues(house.context.database).join();
    expect([table, findings.includes(`${table}.`)]).toEqual([table, table in tables]);
  },
);
