import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/database/backup/backup';
import { writeBackup } from '#server/database/backup/file';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse } from '../support/house.ts';
import { openFilesIn } from '../support/open-files.ts';
import { backupOf, makeHousehold, titresAt, upload } from './support.ts';

const TITRES = ['Nadja', 'Les Vagues', 'Zazie dans le métro'];

test('what is no backup is refused in a sentence, and nothing is left of it', async () => {
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
  // The stream that has written a file closes it in a later turn.
  const left = () => openFilesIn(folder).filter((path) => path.includes('.recu'));
  await eventually(left).toEqual([]);
  expect(await titresAt(house.url)).toEqual([]);
});

test('a database that brings code of its own is refused, however well it is sealed', async () => {
  const { path, backups } = makeHousehold(TITRES);
  const db = new Sqlite(path);
  db.exec(
    "CREATE TRIGGER Intruder AFTER INSERT ON Livre BEGIN UPDATE Livre SET titre = 'pris'; END",
  );
  db.close();
  const { path: file } = await makeBackup(path, backups);
  const house = await openHouse();
  const { status, body } = await upload(house.url, readFileSync(file));
  expect([status, body['message']]).toEqual([
    400,
    'La base de cette sauvegarde contient ce que Rayonnage n’y met pas.',
  ]);
});

test('a database that this version cannot read is refused without a word of where it stands', async () => {
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
      message: 'La base de cette sauvegarde n’est pas lisible par cette version de Rayonnage.',
    },
  });
  expect(await titresAt(house.url)).toEqual([]);
});

test.runIf(existsSync('/dev/full')).each([
  ['for the file itself', 'bibliotheque.sqlite.recu.partiel'],
  ['for the database in it', 'bibliotheque.sqlite.restauration.partiel'],
])('a disk without room %s is called full, and nothing is left', async (_, name) => {
  const folder = temporaryFolder();
  const house = await openHouse(join(folder, 'bibliotheque.sqlite'));
  symlinkSync('/dev/full', join(folder, name));
  expect(await upload(house.url, await backupOf(TITRES))).toMatchObject({
    status: 507,
    body: { code: 'DISQUE_PLEIN' },
  });
  expect(readdirSync(folder).filter((each) => each.endsWith('.partiel'))).toEqual([]);
  expect(await titresAt(house.url)).toEqual([]);
  // Once there is room again, the same file is taken.
  expect(await upload(house.url, await backupOf(TITRES))).toMatchObject({ status: 200 });
});
