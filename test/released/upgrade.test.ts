import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { COVERS_SITE } from '#shared/couvertures';
import { openBackup } from '#server/plumbing/database/backup/file';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { tables } from '#server/start/kinds';
import { isSound, lostRows, schemaOf } from '../../scripts/upgrade/lost-rows.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { makeOldest } from '../support/oldest.ts';
import { backupOf, OPENED } from './versions.ts';

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

describe.each([MADE, ...OPENED])('a database of version %s', (version) => {
  let folder = '';
  const at = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = temporaryFolder();
    await write(version, at('former.sqlite'));
    copyFileSync(at('former.sqlite'), at('maison.sqlite'));
  });

  test('loses no row when it is opened', () => {
    upgrade(at('maison.sqlite'));
    expect(schemaOf(at('maison.sqlite'))).toBe(LAST);
    expect(isSound(at('maison.sqlite'))).toBe(true);
    expect(lostRows(at('former.sqlite'), at('maison.sqlite'))).toEqual([]);
  });

  test('is kept as it was, and comes back by that copy', () => {
    const copy = upgrade(at('maison.sqlite'));
    expect(schemaOf(copy)).toBe(schemaOf(at('former.sqlite')));
    expect(lostRows(at('former.sqlite'), copy)).toEqual([]);
    copyFileSync(copy, at('maison.sqlite'));
    upgrade(at('maison.sqlite'));
    expect(lostRows(at('former.sqlite'), at('maison.sqlite'))).toEqual([]);
  });
});

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
