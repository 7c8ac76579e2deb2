import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { Database } from '#server/plumbing/database/database';
import { OLDEST_SCHEMA, readMigrations } from '#server/plumbing/database/migrations';
import { UnusableDatabase } from '#server/plumbing/database/unusable';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { makeOldest, makeSchema } from '../support/oldest.ts';

const digest = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

/** The digests of a folder's files, without the lock, which is taken first. */
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
      .map(({ name }) => [name, digest(join(folder, name))]),
  );

/** Expects a refusal in one informative line, and an unchanged folder. */
function expectRefused(folder: string, path: string, says: RegExp, migrations = readMigrations()) {
  const before = contents(folder);
  let refusal: unknown;
  try {
    Database.open(path, migrations);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(UnusableDatabase);
  expect(String(refusal)).toMatch(says);
  expect(String(refusal)).not.toContain('\n');
  expect(contents(folder)).toEqual(before);
}

test.each([
  ['a text', 'Ceci n’est pas une base de données, ni de près ni de loin.'.repeat(50)],
  ['a few bytes', 'oui'],
  ['a header and nothing after it', 'SQLite format 3\0'],
  ['a header and rubbish', `SQLite format 3\0${'x'.repeat(5000)}`],
])('refuses a file that is no database: %s', (_, text) => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  writeFileSync(path, text);
  expectRefused(folder, path, /n’est pas une base de données lisible/);
});

test('refuses a folder instead of a database file', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'maison.sqlite'));
  writeFileSync(join(folder, 'texte'), '');
  expectRefused(folder, join(folder, 'maison.sqlite'), /n’est pas une base/);
  expectRefused(folder, join(folder, 'texte', 'maison.sqlite'), /ne peut pas être créé/);
});

test('makes a database of an empty file or missing folder', () => {
  const folder = temporaryFolder();
  const empty = join(folder, 'vide.sqlite');
  writeFileSync(empty, '');
  for (const path of [empty, join(folder, 'a', 'b', 'maison.sqlite')]) {
    const database = Database.open(path);
    expect(database.revision()).toBe(0);
    database.close();
  }
});

test('refuses the database of another application', () => {
  for (const version of [0, 1, 3]) {
    const folder = temporaryFolder();
    const path = join(folder, 'signets.sqlite');
    const db = new Sqlite(path);
    db.exec('CREATE TABLE moz_places (id INTEGER PRIMARY KEY)');
    db.pragma(`user_version = ${String(version)}`);
    db.close();
    expectRefused(folder, path, /n’est pas une base de Rayonnage/);
  }
});

test.each(['wal', 'delete'])('refuses a database of a later version, in mode %s', (mode) => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  temporaryDatabase(path).close();
  const later = new Sqlite(path);
  later.pragma(`user_version = ${String(readMigrations().length + 1)}`);
  later.pragma(`journal_mode = ${mode}`);
  later.close();
  expectRefused(folder, path, /version plus récente/);
});

test('refuses a later version that only its log shows', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  temporaryDatabase(path).close();
  const later = new Sqlite(path);
  later.pragma('user_version = 999');
  const crashed = join(folder, 'apres-coupure');
  mkdirSync(crashed);
  const copy = join(crashed, 'maison.sqlite');
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  later.close();

  const before = contents(crashed);
  expect(() => Database.open(copy)).toThrow(/version plus récente/);
  // SQLite rebuilds the log's index, which contains no data.
  const { 'maison.sqlite-shm': index, ...after } = contents(crashed);
  expect(after).toEqual(before);
});

/** The first schema, whose application recorded no migration. */
const FIRST = 1;

test.each([FIRST, 2, OLDEST_SCHEMA - 1])(
  'refuses a database of schema %i, from before Rayonnage 1.1',
  (schema) => {
    const folder = temporaryFolder();
    const path = join(folder, 'maison.sqlite');
    makeSchema(path, schema);
    if (schema === FIRST) {
      const db = new Sqlite(path);
      db.exec('DROP TABLE Migration');
      db.close();
    }
    expectRefused(folder, path, /est d’avant Rayonnage 1\.1 : démarrez une fois/);
  },
);

test('refuses a database that Rayonnage 1.1 has not upgraded to its end', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  for (const table of ['Importation', 'ImportationLigne']) {
    makeOldest(path, `UPDATE ${table} SET made = '{}'`);
    expectRefused(folder, path, /est d’avant Rayonnage 1\.1 : démarrez une fois/);
    rmSync(path);
  }
});

test('refuses a database whose migration has changed', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  temporaryDatabase(path).close();
  const changed = readMigrations().map((migration) =>
    migration.numero === 3 ? { ...migration, empreinte: '0'.repeat(64) } : migration,
  );
  expectRefused(folder, path, /migration 3 \(auteurs\) a changé/, changed);
});

test('undoes a migration that leaves a broken link', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  makeOldest(path);
  const sql =
    "INSERT INTO Pret (livreId, emprunteur, datePret) VALUES (99, 'Paul', '2026-01-01T00:00:00.000Z')";
  const bad = { numero: OLDEST_SCHEMA + 1, nom: 'casse', sql, empreinte: 'x' };
  const migrations = [...readMigrations().slice(0, OLDEST_SCHEMA), bad];
  expect(() => Database.open(path, migrations)).toThrow(/liens rompus/);
  const db = new Sqlite(path);
  expect(db.prepare('SELECT count(*) AS n FROM Pret').get()).toEqual({ n: 0 });
  expect(db.pragma('user_version', { simple: true })).toBe(OLDEST_SCHEMA);
  db.close();
  expect(Object.keys(contents(folder))).toEqual(['maison.sqlite']);
});
