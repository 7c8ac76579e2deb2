import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { readMigrations } from '#server/plumbing/database/migrations';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { makeLegacy } from '../support/legacy.ts';
import { makeHousehold } from './support.ts';

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
  makeLegacy(old, [{ titre: 'Un vieux livre' }]).close();
  const { path: file, manifest } = await makeBackup(old, backups);
  expect(manifest).toMatchObject({ schema: 1 });
  await restoreBackup(file, { databasePath: path });
  expect(temporaryDatabase(path).history.epoque).toMatch(/^[\da-f]{32}$/);
});
