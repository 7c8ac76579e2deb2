import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { prepareRestore, restoreBackup } from '#server/plumbing/database/backup/restore';
import { backupOf, filesOf, makeHousehold, titresOf, upload } from '../backup/support.ts';
import { importInto } from '../export/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { makeLegacy } from '../support/legacy.ts';

/** Tables of Litestream, and of SQLite's recovery. */
const FOREIGN = `CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
  CREATE TABLE _litestream_lock (id INTEGER);
  CREATE TABLE lost_and_found (rootpgno, pgno, nfield, id, c0);
  INSERT INTO _litestream_seq VALUES (1, 42);
  INSERT INTO lost_and_found VALUES (1, 2, 3, 4, 'x')`;

function addForeignTables(path: string): void {
  const db = new Sqlite(path);
  db.exec(FOREIGN);
  db.close();
}

test('another program’s tables stop no import and no undoing', async () => {
  const { path } = makeHousehold(['Nadja']);
  addForeignTables(path);
  const house = await openHouse(path);
  const { status, body } = await importInto(house, Buffer.from('Titre,Auteur\nSido,Colette\n'));
  expect([status, body['nouveaux']]).toEqual([201, 1]);
  const undone = await house.ask('ana', 'DELETE', `/api/importations/${String(body['id'])}`);
  expect([undone.status, undone.body]).toEqual([200, { retires: 1, gardes: 0 }]);
  expect(house.context.database.value('SELECT seq FROM _litestream_seq')).toBe(42);
});

test('foreign tables added while it runs stop no import', async () => {
  const house = await openHouse();
  addForeignTables(house.context.config.databasePath);
  const { status } = await importInto(house, Buffer.from('Titre,Auteur\nSido,Colette\n'));
  expect(status).toBe(201);
});

test('a household of foreign tables alone counts as empty', async () => {
  const { path } = makeHousehold([]);
  addForeignTables(path);
  const house = await openHouse(path);
  expect(await upload(house.url, await backupOf(['Sido']))).toMatchObject({ status: 200 });
});

test('a backup with another program’s tables is restored with them', async () => {
  const { path, backups } = makeHousehold(['Nadja']);
  addForeignTables(path);
  const { path: file } = await makeBackup(path, backups);
  const databasePath = join(temporaryFolder(), 'bibliotheque.sqlite');
  await restoreBackup(file, { databasePath });
  const house = await openHouse(databasePath);
  expect((await house.ask(null, 'GET', '/api/livres')).body).toMatchObject([{ titre: 'Nadja' }]);
  expect(house.context.database.value('SELECT seq FROM _litestream_seq')).toBe(42);
});

test('a backup that cannot be migrated is refused without changes', async () => {
  const old = join(temporaryFolder(), 'ancienne.sqlite');
  const db = makeLegacy(old, [{ titre: 'Un vieux livre' }]);
  // Another program uses the name of a table that a migration creates.
  db.exec('CREATE TABLE Auteur (x)');
  db.close();
  const { path, folder, backups } = makeHousehold(['Nadja']);
  await expect(makeBackup(old, backups)).rejects.toThrow(/se restaurerait.*La base ne passe pas/);
  const file = join(backups, 'rayonnage-non-restaurable.zip');
  const before = filesOf(folder);
  await expect(restoreBackup(file, { databasePath: path })).rejects.toThrow(
    /^La base ne passe pas/,
  );
  expect([filesOf(folder), titresOf(path)]).toEqual([before, ['Nadja']]);

  const empty = await openHouse();
  expect(await upload(empty.url, readFileSync(file))).toMatchObject({
    status: 400,
    body: { code: 'FICHIER_INVALIDE' },
  });
});

test('two simultaneous restores into one place do not share files', async () => {
  const { path, backups } = makeHousehold(['Nadja', 'Sido']);
  const one = (await makeBackup(path, backups)).path;
  const { path: other, backups: others } = makeHousehold(['Zazie dans le métro']);
  const two = (await makeBackup(other, others)).path;
  const databasePath = join(temporaryFolder(), 'bibliotheque.sqlite');
  const prepared = await Promise.all(
    [one, two].map((each) => prepareRestore(each, { databasePath })),
  );
  expect(prepared.map(({ manifest }) => manifest.livres)).toEqual([2, 1]);
  prepared[1]?.discard();
  prepared[0]?.put();
  expect(titresOf(databasePath)).toEqual(['Nadja', 'Sido']);
});
