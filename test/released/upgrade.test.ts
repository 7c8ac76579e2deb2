import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COVERS_SITE } from '#shared/couvertures';
import { openBackup } from '#server/plumbing/database/backup/file';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { tables } from '#server/start/kinds';
import { isSound, lostRows, schemaOf } from '../../scripts/upgrade/lost-rows.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { makeOldest } from '../support/oldest.ts';
import { backupOf, MIGRATED, OPENED } from './versions.ts';

const LAST = readMigrations().length;

/** A household of few rows, of the schema of Rayonnage 1.1. */
const MADE = '1.1, made';

async function write(version: string, path: string): Promise<void> {
  if (version === MADE) {
    makeOldest(path);
    return;
  }
  const backup = await openBackup(backupOf(version));
  await backup.extractDatabase(path);
  backup.close();
}

/** Opens a database as a start does, and closes it. Returns the path of the previous one's copy. */
function upgrade(path: string): string {
  const database = Database.open(path, undefined, { tables, coversUrl: COVERS_SITE });
  const { copy = '' } = database.upgrade ?? {};
  database.close();
  return copy;
}

/** Writes a household of the version twice: to be opened, and to be compared with. */
async function writeTwice(version: string): Promise<{ former: string; path: string }> {
  const folder = temporaryFolder();
  const [former, path] = [join(folder, 'former.sqlite'), join(folder, 'maison.sqlite')];
  await write(version, former);
  copyFileSync(former, path);
  return { former, path };
}

test.each([MADE, ...OPENED])(
  'a database of version %s loses no row when it is opened',
  async (version) => {
    const { former, path } = await writeTwice(version);
    upgrade(path);
    expect(schemaOf(path)).toBe(LAST);
    expect(isSound(path)).toBe(true);
    expect(lostRows(former, path)).toEqual([]);
  },
);

test.each([MADE, ...MIGRATED])(
  'a database of version %s is kept as it was, and comes back by that copy',
  async (version) => {
    const { former, path } = await writeTwice(version);
    const copy = upgrade(path);
    expect(schemaOf(copy)).toBe(schemaOf(former));
    expect(lostRows(former, copy)).toEqual([]);
    copyFileSync(copy, path);
    upgrade(path);
    expect(lostRows(former, path)).toEqual([]);
  },
);

test('the acts of a file of Rayonnage 1.1 are listed, and undone', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  makeOldest(path);
  const house = await openHouse(path);
  const ask = (method: string, address: string) => house.ask('ana', method, `/api/${address}`);
  expect((await ask('GET', 'modifications')).body).toMatchObject([
    { id: 3, resume: 'Livre modifié : Sido' },
    { id: 2, resume: '3 livres rendus', arguments: { fait: 'phrase', phrase: '3 livres rendus' } },
    { id: 1, resume: 'Import : 1 livre' },
  ]);
  expect((await ask('GET', 'modifications?langue=en')).body).toMatchObject([
    { resume: 'Book edited: Sido' },
    { resume: '3 livres rendus' },
    { resume: 'Import: 1 book' },
  ]);
  expect((await ask('GET', 'livres/1')).body).toMatchObject({ annee: 1930 });
  expect(await ask('POST', 'modifications/3/annulation')).toMatchObject({ status: 201 });
  expect((await ask('GET', 'livres/1')).body).toMatchObject({ annee: 1929 });
  expect((await ask('DELETE', 'importations/1')).body).toEqual({ retires: 1, gardes: 0 });
  expect((await ask('GET', 'livres')).body).toEqual([]);
});
