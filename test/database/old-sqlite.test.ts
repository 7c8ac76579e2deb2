import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { FULL } from '../support/rows.ts';

/** What SQLite has learnt since 3.40, which Debian 12 ships, as far as a schema may say it. */
const NEWER = [
  // An order inside an aggregate function (3.44).
  /\b(?:json_group_\w+|group_concat|sum|total|avg|count)\s*\((?:[^()]|\([^()]*\))*\border\s+by\b/i,
  // Functions of 3.41 to 3.50.
  /\b(?:unhex|octet_length|timediff|concat(?:_ws)?|string_agg|jsonb\w*|json_(?:pretty|error_position|array_insert)|unistr\w*|median|percentile\w*|if)\s*\(/i,
  // `iif` without a third argument (3.48).
  /\biif\s*\([^(),]*,[^(),]*\)/i,
  // A message that is computed (3.47).
  /\braise\s*\(\s*\w+\s*,(?!\s*'(?:[^']|'')*'\s*\))/i,
  // Digits in groups (3.46), fractions of `unixepoch` and the like (3.42), formats of a date (3.44).
  /\b\d+_\d/,
  /'(?:subsec|subsecond|ceiling|floor)'/i,
  /\bstrftime\s*\(\s*'[^']*%[eFIklpPRTuGgUV]/,
];

function fullHousehold(): string {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const database = temporaryDatabase(path);
  database.write((tx) => FULL.forEach((sql) => tx.run(sql)));
  database.close();
  return path;
}

test('the schema uses nothing newer than SQLite 3.40', () => {
  const db = new Sqlite(fullHousehold(), { readonly: true });
  const texts = db
    .prepare<[], string>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL')
    .pluck()
    .all();
  db.close();
  expect(texts.filter((sql) => NEWER.some((syntax) => syntax.test(sql)))).toEqual([]);
});

test.each([
  'SELECT json_group_array(a.nom ORDER BY la.position)',
  'SELECT group_concat(trim(nom), 1 ORDER BY id)',
  "SELECT concat('a', 'b'), if(1, 2)",
  'SELECT iif(a, b)',
  "SELECT raise(ABORT, 'a' || old.id)",
  "SELECT 1_000, datetime('now', 'subsec')",
  "SELECT strftime('%F')",
])('%s counts as newer', (sql) => {
  expect(NEWER.some((syntax) => syntax.test(sql))).toBe(true);
});

const isThere = spawnSync('sqlite3', ['--version']).status === 0;

test.runIf(isThere)('the system’s own SQLite reads and writes a household', () => {
  const path = fullHousehold();
  const shell = (sql: string): string =>
    execFileSync('sqlite3', [path, `PRAGMA foreign_keys = ON; ${sql}`], { encoding: 'utf8' });
  expect(shell('PRAGMA integrity_check; SELECT titre FROM Livre')).toBe('ok\nL’Étranger : roman\n');
  const dump = execFileSync('sqlite3', [path, '.dump'], { encoding: 'utf8' });
  expect(dump).toContain('CREATE TRIGGER LivreAuteur_lu');
  shell('DELETE FROM Livre');
  const kept = shell("SELECT image ->> 'auteurs' FROM Dormant WHERE kind = 'Livre'");
  expect(kept).toBe('["Ana Tiers","Albert « Bébert » \\"Camus\\""]\n');
});
