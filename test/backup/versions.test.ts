import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { writeBackup } from '#server/plumbing/database/backup/file';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { OLDEST_SCHEMA, readMigrations } from '#server/plumbing/database/migrations';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { makeOldest, makeSchema } from '../support/oldest.ts';
import { filesOf, makeHousehold, titresOf, upload } from './support.ts';

test('a database of a newer version is not backed up', async () => {
  const { path, backups } = makeHousehold(['Nadja']);
  const newer = join(temporaryFolder(), 'futur.sqlite');
  copyFileSync(path, newer);
  const db = new Sqlite(newer);
  db.pragma(`user_version = ${readMigrations().length + 1}`);
  db.close();
  await expect(makeBackup(newer, backups)).rejects.toThrow(/version plus récente/);
});

test('a restored backup of an older version is brought up-to-date', async () => {
  const { path, backups } = makeHousehold(['Nadja']);
  const old = join(temporaryFolder(), 'ancienne.sqlite');
  makeOldest(old);
  const { path: file, manifest } = await makeBackup(old, backups);
  expect(manifest).toMatchObject({ schema: OLDEST_SCHEMA });
  await restoreBackup(file, { databasePath: path });
  expect(titresOf(path)).toEqual(['Sido']);
  expect(temporaryDatabase(path).history.epoque).toMatch(/^[\da-f]{32}$/);
});

test.each([
  ['was not upgraded to its end', OLDEST_SCHEMA],
  ['is older than its manifest says', OLDEST_SCHEMA - 1],
  ['is of the first schema, unlike its manifest', 1],
])('a backup whose database %s is refused without changes', async (_, schema) => {
  const old = join(temporaryFolder(), 'ancienne.sqlite');
  if (schema === OLDEST_SCHEMA) makeOldest(old, "UPDATE Importation SET made = '{}'");
  else makeSchema(old, schema);
  const file = join(temporaryFolder(), 'sauvegarde.zip');
  const about = { date: '2026-01-01T00:00:00.000Z', schema: OLDEST_SCHEMA, livres: 1 };
  await writeBackup(file, { databasePath: old, covers: [] }, about);
  const { path, folder } = makeHousehold(['Nadja']);
  const before = filesOf(folder);
  await expect(restoreBackup(file, { databasePath: path })).rejects.toThrow(
    /est d’avant Rayonnage 1\.1/,
  );
  expect([filesOf(folder), titresOf(path)]).toEqual([before, ['Nadja']]);

  const empty = await openHouse();
  expect(await upload(empty.url, readFileSync(file))).toMatchObject({
    status: 400,
    body: { code: 'FICHIER_INVALIDE' },
  });
});
