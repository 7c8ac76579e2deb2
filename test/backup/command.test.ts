// @module-tag process
import { chownSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { NOBODY } from '../support/limited.ts';
import { filesOf, makeHousehold, run } from './support.ts';

test('a dry restore describes the backup without changing anything', async () => {
  const { path, backups, folder } = makeHousehold(['Nadja']);
  const settings = { DATABASE_PATH: path };
  const backup = await run('backup', [backups], settings);
  expect(backup.lines[0]).toBe('Sauvegarde faite et relue : 1 livre, 0 couverture.');
  const file = backup.lines.at(-1) ?? '';
  const before = filesOf(folder);
  const summary = [
    expect.stringMatching(/^Sauvegarde du .* \(schéma \d+\) :$/) as string,
    '  1 livre, 0 couverture.',
  ];
  const dryRun = await run('restore', [file, '--essai'], settings);
  expect(dryRun).toEqual({
    code: 0,
    error: '',
    lines: [...summary, 'Essai : la sauvegarde est entière, rien n’est changé.'],
  });
  expect(filesOf(folder)).toEqual(before);
  const restored = await run('restore', [file], settings);
  expect(restored.lines).toEqual([
    ...summary,
    expect.stringContaining('est gardé') as string,
    `Remise en place : ${path}`,
  ]);
});

test.each(['backup', 'accounts'] as const)(
  '%s makes nothing where there is no library',
  async (command) => {
    const folder = temporaryFolder();
    const settings = { DATABASE_PATH: join(folder, 'data', 'bibliotheque.sqlite') };
    const { code, error } = await run(command, [], settings);
    expect([code, error]).toEqual([1, expect.stringMatching(/^Il n’y a pas de bibliothèque à /)]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test('only the own account can read the files that backup and restore write', async () => {
  const { path, backups, folder } = makeHousehold(['Nadja']);
  const settings = { DATABASE_PATH: path };
  const backup = await run('backup', [backups], settings);
  const before = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  const file = backup.lines.at(-1) ?? '';
  await run('restore', [file], settings);
  // The replaced database was created by the test, and is only renamed.
  const isMade = (name: string) => !before.has(name) && !name.includes('remplacee');
  const written = [
    file,
    path,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(isMade)
      .map((name) => join(folder, name)),
  ];
  const open = written.filter((name) => (statSync(name).mode & 0o077) !== 0);
  expect(open).toEqual([]);
});

test('backup and restore speak English to an English operator', async () => {
  const { path, backups } = makeHousehold(['Nadja', 'Aurélia']);
  const settings = { DATABASE_PATH: path, LANG: 'en_GB.UTF-8' };
  const backup = await run('backup', [backups], settings);
  expect(backup).toMatchObject({ code: 0, error: '' });
  expect(backup.lines[0]).toBe('Backup made and read back: 2 books, 0 covers.');
  expect(backup.lines[1]).toMatch(/^\d+(?:\.\d)? MB, schema \d+\.$/);
  const file = backup.lines.at(-1) ?? '';
  const tried = await run('restore', [file, '--dry-run'], settings);
  expect(tried.lines).toEqual([
    expect.stringMatching(/^Backup of \d+ \w+ \d{4} at \d\d:\d\d \(schema \d+\):$/) as string,
    '  2 books, 0 covers.',
    'Dry run: the backup is whole, nothing has been changed.',
  ]);
  const none = await run('restore', [`${file}.zip`], settings);
  expect(none).toMatchObject({ code: 1, error: `There is no file at ${file}.zip.\n` });
  const wrong = await run('backup', ['a', 'b'], { ...settings, LC_ALL: 'fr_FR.UTF-8' });
  expect(wrong.error).toMatch(/^backup \[DOSSIER\] \[options\]\n/);
});

test.runIf(process.getuid?.() === 0)(
  'a backup that root makes belongs to the owner of the folder around it',
  async () => {
    const { path } = makeHousehold(['Nadja']);
    chownSync(dirname(path), NOBODY, NOBODY);
    const { lines } = await run('backup', [], { DATABASE_PATH: path });
    const file = lines.at(-1) ?? '';
    expect(dirname(file)).toBe(join(dirname(path), 'sauvegardes'));
    expect([dirname(file), file].map((each) => statSync(each).uid)).toEqual([NOBODY, NOBODY]);
  },
);
