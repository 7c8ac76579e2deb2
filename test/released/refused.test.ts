// @module-tag process
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { openBackup } from '#server/plumbing/database/backup/file';
import { filesOf, titresAt, upload } from '../backup/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { openHouse } from '../support/house.ts';
import { built, COMPILED } from '../support/process.ts';
import { backupOf, REFUSED } from './versions.ts';

/** The refusal of a database file, by the operator's language. */
const OF_FILE = [
  [
    'fr',
    /maison\.sqlite est d’avant Rayonnage 1\.1 : démarrez une fois Rayonnage 1\.1 avec ce fichier, puis cette version\.\n/,
  ],
  [
    'en',
    /maison\.sqlite is from before Rayonnage 1\.1: start Rayonnage 1\.1 once with this file, then this version\.\n/,
  ],
] as const;

const OF_BACKUP = [
  [
    'fr',
    'Cette sauvegarde est d’avant Rayonnage 1.1 : restaurez-la une fois avec Rayonnage 1.1, et restaurez ici la sauvegarde qu’il en fait.',
  ],
  [
    'en',
    'This backup is from before Rayonnage 1.1: restore it once with Rayonnage 1.1, and restore here a backup that it makes.',
  ],
] as const;

async function run(line: readonly string[], settings: Record<string, string>) {
  const [command = '', ...args] = line;
  const child = spawn(process.execPath, [built(command), ...args], {
    env: { ...COMPILED, PORT: '0', ...settings },
    // A service that opens the library would not end.
    timeout: 30_000,
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said: (await output).join('') };
}

describe.each(REFUSED)('a library of version %s', (version) => {
  let folder = '';
  let path = '';

  beforeEach(async () => {
    folder = temporaryFolder();
    path = join(folder, 'maison.sqlite');
    const backup = await openBackup(backupOf(version));
    await backup.extractDatabase(path);
    backup.close();
    writeFileSync(join(folder, 'livres.csv'), 'Titre,Auteurs\nNadja,André Breton\n');
  });

  test.each(OF_FILE)(
    'is refused by the start and by each command, unchanged (%s)',
    async (LANG, sentence) => {
      const settings = { DATABASE_PATH: path, LANG };
      const before = filesOf(folder);
      for (const line of [
        ['main'],
        ['import', join(folder, 'livres.csv')],
        ['accounts'],
        ['doctor', 'http://127.0.0.1:9'],
        ['backup', join(folder, 'coffre')],
      ]) {
        const { code, said } = await run(line, settings);
        expect([line[0], code, said]).toEqual([line[0], 1, expect.stringMatching(sentence)]);
      }
      expect(filesOf(folder)).toEqual(before);
    },
  );

  test.each(OF_BACKUP)('is not restored by the command (%s)', async (LANG, sentence) => {
    const before = filesOf(folder);
    const settings = { DATABASE_PATH: join(folder, 'autre.sqlite'), LANG };
    for (const file of [backupOf(version), path]) {
      const { code, said } = await run(['restore', file], settings);
      expect([code, said]).toEqual([1, `${sentence}\n`]);
    }
    expect(filesOf(folder)).toEqual(before);
  });

  test.each(OF_BACKUP)('is not restored in the application (%s)', async (langue, sentence) => {
    const house = await openHouse();
    for (const file of [backupOf(version), path])
      expect(
        await upload(house.url, readFileSync(file), { 'Accept-Language': langue }),
      ).toMatchObject({
        status: 400,
        body: { code: 'FICHIER_INVALIDE', message: sentence },
      });
    expect(await titresAt(house.url)).toEqual([]);
  });
});
