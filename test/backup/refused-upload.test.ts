import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { check } from '#server/plumbing/database/backup/check';
import { InvalidBackup, writeBackup } from '#server/plumbing/database/backup/file';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse } from '../support/house.ts';
import { startLimited } from '../support/limited.ts';
import { openFilesIn } from '../support/open-files.ts';
import { backupOf, makeHousehold, run, titresAt, upload } from './support.ts';

const TITRES = ['Nadja', 'Les Vagues', 'Zazie dans le métro'];

test('a file that is no backup is refused without traces', async () => {
  const folder = temporaryFolder();
  const house = await openHouse(join(folder, 'bibliotheque.sqlite'));
  const names = () => readdirSync(folder).filter((name) => !/-(?:wal|shm)$/.test(name));
  const before = names();
  const bytes = await backupOf(TITRES);
  const changed = Buffer.from(bytes);
  changed[Math.floor(changed.length / 2)] = (changed[Math.floor(changed.length / 2)] ?? 0) ^ 1;
  const cases: readonly Buffer[] = [
    bytes.subarray(0, bytes.length / 2),
    changed,
    Buffer.from('titre;auteur\n'),
    Buffer.alloc(0),
    Buffer.from('PK\x03\x04 and nothing else'),
  ];
  for (const each of cases) {
    const { status, body } = await upload(house.url, each);
    expect([status, body['code']]).toEqual([400, 'FICHIER_INVALIDE']);
    expect(body['message']).toMatch(/^[A-ZÀ-Ý][^/]*\.$/);
  }
  expect(names()).toEqual(before);
  // The write stream closes its file asynchronously.
  const openUploads = () => openFilesIn(folder).filter((path) => path.includes('.recu'));
  await eventually(openUploads).toEqual([]);
  expect(await titresAt(house.url)).toEqual([]);
});

test.each([
  [
    'brings a trigger of its own',
    "CREATE TRIGGER Intruder AFTER INSERT ON Livre BEGIN UPDATE Livre SET titre = 'pris'; END",
  ],
  ['brings a view', 'CREATE VIEW Intruder AS SELECT * FROM Livre'],
  ['lacks a trigger', 'DROP TRIGGER Livre_ajoute'],
  ['lacks an index', 'DROP INDEX Livre_isbn'],
  ['has an index more', 'CREATE UNIQUE INDEX Intruder ON Livre (titre)'],
  ['has a column more', 'ALTER TABLE Livre ADD COLUMN intruder TEXT'],
  ['lacks a table', 'DROP TABLE Complement'],
  [
    'has counted to the end of numbers',
    "UPDATE sqlite_sequence SET seq = 9223372036854775806 WHERE name = 'Livre'",
  ],
  [
    'has counted to where numbers are exact no more',
    "UPDATE sqlite_sequence SET seq = 9007199254740991 - 1000000000000 + 1 WHERE name = 'Livre'",
  ],
  [
    'has a journal beyond exact numbers',
    "UPDATE sqlite_sequence SET seq = 9007199254740990 WHERE name = 'Journal'",
  ],
  [
    'has a record far from all others',
    "INSERT INTO Auteur (id, nom, nomNormalise, cleRegroupement) VALUES (-9223372036854775808, 'A', 'a', 'a')",
  ],
])('a database that %s is refused', async (_, change) => {
  const file = await changedBackup(`PRAGMA foreign_keys = OFF; ${change}`);
  const house = await openHouse();
  const { status, body } = await upload(house.url, readFileSync(file));
  expect([status, body['message']]).toEqual([
    400,
    'La base de cette sauvegarde n’est pas celle que Rayonnage a écrite : elle a été modifiée.',
  ]);
});

/** SQLite needs hours to compute this expression for twenty thousand rows. */
const ENDLESS = 'a + 0 * length(hex(zeroblob(100000000 + a)))';

/** Replaces a column's index by one on an expression, as a forged file may contain. */
const forgedIndex = (name: string) => `CREATE TABLE Autre (a);
  INSERT INTO Autre WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i FROM n;
  CREATE INDEX Intrus ON Autre (a + 0);
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema SET name = '${name}', sql = 'CREATE INDEX ${name} ON Autre (${ENDLESS})' WHERE name = 'Intrus'`;

/** A backup of a database that was changed by SQL without any check. */
async function changedBackup(change: string): Promise<string> {
  const { path, backups, folder } = makeHousehold(TITRES);
  const { manifest } = await makeBackup(path, backups);
  const db = new Sqlite(path);
  db.unsafeMode();
  db.pragma('journal_mode = DELETE');
  db.exec(change);
  db.close();
  const file = join(folder, 'autre.zip');
  await writeBackup(file, { databasePath: path, covers: [] }, manifest);
  return file;
}

test.each([
  ['an index that never ends', forgedIndex('Intrus')],
  ['one that is named as SQLite’s own', forgedIndex('sqlite_intrus')],
  ['a check', 'CREATE TABLE Autre (a CHECK (a > 0))'],
  ['a computed column', 'CREATE TABLE Autre (a, b AS (a + 1))'],
  ['a partial index', 'CREATE TABLE Autre (a); CREATE INDEX Intrus ON Autre (a) WHERE a > 0'],
  ['a module with hidden columns', 'CREATE VIRTUAL TABLE Autre USING fts5 (a)'],
  ['a module of plain columns', 'CREATE VIRTUAL TABLE Autre USING rtree (id, a, b)'],
  [
    'a trigger',
    'CREATE TABLE Autre (a); CREATE TRIGGER Intrus AFTER INSERT ON Autre BEGIN DELETE FROM Autre; END',
  ],
  ['a view', 'CREATE VIEW Autre AS SELECT titre FROM Livre'],
])('a backup with a foreign table of %s is refused before it is computed', async (_, change) => {
  const file = await changedBackup(change);
  const house = await openHouse();
  const { status, body } = await upload(house.url, readFileSync(file));
  expect([status, body['message']]).toEqual([
    400,
    'La base de cette sauvegarde n’est pas celle que Rayonnage a écrite : elle a été modifiée.',
  ]);
  const { code, error } = await run('restore', [file], {
    DATABASE_PATH: join(temporaryFolder(), 'b.sqlite'),
  });
  expect([code, error]).toEqual([1, expect.stringContaining('elle a été modifiée')]);
});

/** The other processes whose command line contains a path, as Linux lists them. */
const processesNaming = (path: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        return readFileSync(join('/proc', pid, 'cmdline'), 'utf8').includes(path);
      } catch {
        return false; // the process has ended meanwhile
      }
    })
    .map(Number);

test('a check has a minute, and a second a megabyte', async () => {
  const { path } = makeHousehold(TITRES);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());
  await check('copy', path);
  const limitMs = 60_000 + statSync(path).size / 1000;
  expect(timers.mock.calls.map(([, ms]) => ms)).toContain(limitMs);
});

test.skipIf(process.platform !== 'linux')(
  'a check that does not end is ended, and its process with it',
  async () => {
    const { path } = makeHousehold(TITRES);
    const db = new Sqlite(path);
    db.unsafeMode();
    db.exec(forgedIndex('Intrus'));
    db.close();
    await expect(check('copy', path, 500)).rejects.toThrow(/prend trop de temps/);
    await eventually(() => processesNaming(path)).toEqual([]);
  },
);

test.skipIf(process.platform !== 'linux')(
  'a check that is killed is told as itself, not as one without an end',
  async () => {
    const { path } = makeHousehold(TITRES);
    const db = new Sqlite(path);
    db.unsafeMode();
    db.exec(forgedIndex('Intrus'));
    db.close();
    const checked = check('copy', path, 60_000);
    const refusal = expect(checked).rejects.toThrow(/s’est arrêté sans répondre.*SIGKILL/);
    await eventually(() => processesNaming(path).length).toBe(1);
    for (const pid of processesNaming(path)) process.kill(pid, 'SIGKILL');
    await refusal;
    await expect(checked).rejects.not.toBeInstanceOf(InvalidBackup);
  },
);

test('a backup of an unreadable schema is refused without paths', async () => {
  const { path, backups, folder } = makeHousehold(TITRES);
  const { manifest } = await makeBackup(path, backups);
  const db = new Sqlite(path);
  db.pragma('journal_mode = DELETE');
  db.exec("UPDATE Migration SET empreinte = 'another' WHERE numero = 2");
  db.close();
  const file = join(folder, 'autre.zip');
  await writeBackup(file, { databasePath: path, covers: [] }, manifest);
  const house = await openHouse();
  expect(await upload(house.url, readFileSync(file))).toMatchObject({
    status: 400,
    body: {
      code: 'FICHIER_INVALIDE',
      message: 'Cette version de Rayonnage ne peut pas lire cette sauvegarde.',
    },
  });
  expect(await titresAt(house.url)).toEqual([]);
});

/**
 * The largest file that a limited service may write, in blocks of 1024 bytes; and a slightly larger size in bytes.
 */
const FILE_BLOCKS = 8_000;
const TOO_MUCH = (FILE_BLOCKS + 10) * 1024;

test.skipIf(process.platform === 'win32')(
  'a backup without room on the disk leaves nothing',
  { tags: 'process' },
  async () => {
    const folder = temporaryFolder();
    const url = await startLimited(join(folder, 'bibliotheque.sqlite'), {
      fileBlocks: FILE_BLOCKS,
    });
    const { path, backups } = makeHousehold(TITRES);
    const db = new Sqlite(path);
    db.exec(`CREATE TABLE lost_and_found (bytes);
      INSERT INTO lost_and_found VALUES (zeroblob(${String(TOO_MUCH)}))`);
    db.close();
    const large = readFileSync((await makeBackup(path, backups)).path);
    expect(large.length).toBeLessThan(TOO_MUCH / 10);
    for (const bytes of [Buffer.alloc(TOO_MUCH), large])
      expect(await upload(url, bytes)).toMatchObject({
        status: 507,
        body: { code: 'DISQUE_PLEIN' },
      });
    expect(readdirSync(folder).filter((each) => each.includes('.partiel'))).toEqual([]);
    expect(await titresAt(url)).toEqual([]);
    // A file that fits is accepted.
    expect(await upload(url, await backupOf(TITRES))).toMatchObject({ status: 200 });
  },
);
