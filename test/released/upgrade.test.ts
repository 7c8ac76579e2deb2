// @module-tag process
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { COVERS_SITE } from '#shared/couvertures';
import { openBackup, readManifest } from '#server/plumbing/database/backup/file';
import { Database } from '#server/plumbing/database/database';
import { readMigrations } from '#server/plumbing/database/migrations';
import { tables } from '#server/start/kinds';
import { isSound, lostRows, schemaOf } from '../../scripts/upgrade/lost-rows.ts';
import { temporaryFolder } from '../support/database.ts';
import { VERSIONS } from './versions.ts';

const LAST = readMigrations().length;

const POWER_CUT = fileURLToPath(new URL('../support/powercut.ts', import.meta.url));

/** Opens a database as a start does, and closes it. Returns the path of the previous one's backup. */
function upgrade(path: string): string {
  const database = Database.open(path, undefined, { tables, coversUrl: COVERS_SITE });
  const { copy = '' } = database.upgrade ?? {};
  database.close();
  return copy;
}

const backupOf = (version: string): string => join(import.meta.dirname, version, 'sauvegarde.zip');

/** Those that a start migrates: a version that was released since the last migration needs none. */
const MIGRATED = VERSIONS.filter(
  (version) => (readManifest(backupOf(version))?.schema ?? 0) < LAST,
);

async function write(version: string, path: string): Promise<void> {
  const backup = await openBackup(backupOf(version));
  await backup.extractDatabase(path);
  backup.close();
}

test.each(VERSIONS)('a database of version %s loses no row when it is opened', async (version) => {
  const folder = temporaryFolder();
  const [former, path] = [join(folder, 'former.sqlite'), join(folder, 'maison.sqlite')];
  await write(version, former);
  copyFileSync(former, path);
  upgrade(path);
  expect(schemaOf(path)).toBe(LAST);
  expect(isSound(path)).toBe(true);
  expect(lostRows(former, path)).toEqual([]);
});

describe.each(MIGRATED)('a database of version %s', (version) => {
  let folder = '';
  const at = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = temporaryFolder();
    await write(version, at('former.sqlite'));
  });

  test('is kept as it was, and comes back by that copy', () => {
    copyFileSync(at('former.sqlite'), at('maison.sqlite'));
    const copy = upgrade(at('maison.sqlite'));
    expect(schemaOf(copy)).toBe(schemaOf(at('former.sqlite')));
    expect(lostRows(at('former.sqlite'), copy)).toEqual([]);
    copyFileSync(copy, at('maison.sqlite'));
    upgrade(at('maison.sqlite'));
    expect(lostRows(at('former.sqlite'), at('maison.sqlite'))).toEqual([]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'killed after %i ninths of the migrations is the old one, and the next start goes through',
    (ninths) => {
      const path = at('maison.sqlite');
      copyFileSync(at('former.sqlite'), path);
      const former = schemaOf(path);
      const numero = former + 1 + Math.round(((LAST - former - 1) * ninths) / 9);
      const { signal } = spawnSync(process.execPath, [POWER_CUT, path, String(numero)]);
      expect([signal, schemaOf(path), isSound(path)]).toEqual(['SIGKILL', former, true]);
      expect(lostRows(at('former.sqlite'), path)).toEqual([]);
      upgrade(path);
      expect([schemaOf(path), isSound(path)]).toEqual([LAST, true]);
      expect(lostRows(at('former.sqlite'), path)).toEqual([]);
    },
  );
});
