import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import initSqlJs, { type Database as OldDatabase, type SqlValue } from 'sql.js';
import { beforeAll, expect, test } from 'vitest';
import { makeSelfContained } from '#server/plumbing/database/backup/database-file';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { backupOf, OPENED } from '../released/versions.ts';
import { atLeastOne } from '../support/at-least-one.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { FULL, SERVICE_ROWS } from '../support/rows.ts';

/** SQL features newer than SQLite 3.40, which Debian 12 ships. */
const NEWER = [
  // `ORDER BY` inside an aggregate function (3.44).
  /\b(?:json_group_\w+|group_concat|sum|total|avg|count)\s*\((?:[^()]|\([^()]*\))*\border\s+by\b/i,
  // Functions of 3.41 to 3.50.
  /\b(?:unhex|octet_length|timediff|concat(?:_ws)?|string_agg|jsonb\w*|json_(?:pretty|error_position|array_insert)|unistr\w*|median|percentile\w*|if)\s*\(/i,
  // `iif` without a third argument (3.48).
  /\biif\s*\([^(),]*,[^(),]*\)/i,
  // A computed message of `raise` (3.47).
  /\braise\s*\(\s*\w+\s*,(?!\s*'(?:[^']|'')*'\s*\))/i,
  // Digit separators (3.46), options of `unixepoch` (3.42), date formats (3.44).
  /\b\d+_\d/,
  /'(?:subsec|subsecond|ceiling|floor)'/i,
  /\bstrftime\s*\(\s*'[^']*%[eFIklpPRTuGgUV]/,
];

/** SQLite 3.39, compiled to WebAssembly. */
let openOld: (bytes?: Uint8Array) => OldDatabase;

beforeAll(async () => {
  const { Database } = await initSqlJs();
  openOld = (bytes) => new Database(bytes);
});

function fullHousehold(): string {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const database = temporaryDatabase(path);
  database.write((tx) => [...FULL, ...SERVICE_ROWS].forEach((sql) => tx.run(sql)));
  database.close();
  makeSelfContained(path);
  return path;
}

async function upgraded(version: string): Promise<string> {
  const databasePath = join(temporaryFolder(), 'bibliotheque.sqlite');
  await restoreBackup(backupOf(version), { databasePath });
  return databasePath;
}

const values = (db: OldDatabase, sql: string): SqlValue[][] =>
  db.exec(sql).flatMap((result) => result.values);

const column = (db: OldDatabase, sql: string): string[] =>
  values(db, sql).map(([value]) => String(value));

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'";

/** The columns of an INSERT, without generated ones. */
const columnsOf = (db: OldDatabase, table: string): string =>
  column(db, `SELECT name FROM pragma_table_info('${table}')`).join(', ');

const CONTENT = `SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type, name`;

/** The output of SQLite's `.dump`: tables and rows first, then indices, triggers and views. */
function dump(db: OldDatabase): string[] {
  const make = (types: string) =>
    column(
      db,
      `SELECT sql FROM sqlite_schema WHERE type IN (${types}) AND sql IS NOT NULL AND name <> 'sqlite_sequence' ORDER BY rowid`,
    );
  const rows = [...column(db, TABLES), 'sqlite_sequence'].flatMap((table) => {
    const quoted = columnsOf(db, table)
      .split(', ')
      .map((name) => `quote(${name})`)
      .join(" || ',' || ");
    return column(db, `SELECT ${quoted} FROM ${table}`).map(
      (row) => `INSERT INTO ${table} (${columnsOf(db, table)}) VALUES (${row})`,
    );
  });
  return [
    ...make("'table'"),
    'DELETE FROM sqlite_sequence',
    ...rows,
    ...make("'index', 'trigger', 'view'"),
  ];
}

const contentOf = (db: OldDatabase): unknown => [
  values(db, CONTENT),
  column(db, TABLES).map((table) => [table, values(db, `SELECT * FROM ${table} ORDER BY 1, 2`)]),
];

const isSound = (db: OldDatabase): unknown => [
  values(db, 'PRAGMA integrity_check'),
  values(db, 'PRAGMA foreign_key_check'),
];

const SOUND = [[['ok']], []];

test('SQLite 3.39 finds a row in every table of the full household', () => {
  const db = openOld(readFileSync(fullHousehold()));
  expect(values(db, 'SELECT sqlite_version(), json_valid(NULL)')).toEqual([['3.39.3', 0]]);
  const empty = column(db, TABLES).filter(
    (table) => values(db, `SELECT 1 FROM ${table} LIMIT 1`).length === 0,
  );
  expect(empty).toEqual([]);
  db.close();
});

test.each(['now', ...OPENED])(
  'SQLite 3.39 checks, dumps and mends a household of version %s once it is upgraded',
  async (version) => {
    const path = version === 'now' ? fullHousehold() : await upgraded(version);
    const db = openOld(readFileSync(path));
    expect(isSound(db)).toEqual(SOUND);

    const again = openOld();
    for (const sql of dump(db)) again.run(sql);
    expect(contentOf(again)).toEqual(contentOf(db));
    expect(isSound(again)).toEqual(SOUND);
    again.close();

    db.run('PRAGMA foreign_keys = ON');
    for (const table of atLeastOne(column(db, TABLES))) {
      const same = columnsOf(db, table).split(', ');
      db.run(`UPDATE ${table} SET ${same.map((name) => `${name} = ${name}`).join(', ')}`);
      const [[count] = []] = values(db, `SELECT count(*) FROM ${table}`);
      expect([table, db.getRowsModified()]).toEqual([table, count]);
    }
    expect(isSound(db)).toEqual(SOUND);
    db.close();
  },
);

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

test.runIf(isThere)('the system’s own SQLite reads, dumps and writes a household', () => {
  const path = fullHousehold();
  const shell = (sql: string): string =>
    execFileSync('sqlite3', [path, `PRAGMA foreign_keys = ON; ${sql}`], { encoding: 'utf8' });
  expect(shell('PRAGMA integrity_check; PRAGMA foreign_key_check')).toBe('ok\n');
  const whole = execFileSync('sqlite3', [path, '.dump'], { encoding: 'utf8' });
  const again = join(temporaryFolder(), 'again.sqlite');
  execFileSync('sqlite3', ['-bail', again], { input: whole });
  expect(execFileSync('sqlite3', [again, '.dump'], { encoding: 'utf8' })).toBe(whole);
  expect(shell('SELECT titre FROM Livre')).toBe('L’Étranger : roman\nSido\n');
  shell('DELETE FROM Livre');
  const archived = shell("SELECT image ->> 'auteurs' FROM Dormant WHERE kind = 'Livre' AND id = 1");
  expect(archived).toBe('["Ana Tiers","Albert « Bébert » \\"Camus\\""]\n');
});
