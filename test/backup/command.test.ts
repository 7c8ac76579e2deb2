// @module-tag process
import { expect, test } from 'vitest';
import { filesOf, makeHousehold, run } from './support.ts';

test('a dry restore describes the backup without changing anything', async () => {
  const { path, backups, folder } = makeHousehold(['Nadja']);
  const settings = { DATABASE_PATH: path };
  const made = await run('backup', [backups], settings);
  expect(made.lines[0]).toBe('Sauvegarde faite et relue : 1 livre, 0 couverture.');
  const file = made.lines.at(-1) ?? '';
  const before = filesOf(folder);
  const said = [
    expect.stringMatching(/^Sauvegarde du .* \(schéma \d+\) :$/) as string,
    '  1 livre, 0 couverture.',
  ];
  const dryRun = await run('restore', [file, '--essai'], settings);
  expect(dryRun).toEqual({
    code: 0,
    error: '',
    lines: [...said, 'Essai : la sauvegarde est entière, rien n’est changé.'],
  });
  expect(filesOf(folder)).toEqual(before);
  const restored = await run('restore', [file], settings);
  expect(restored.lines).toEqual([
    ...said,
    expect.stringContaining('est gardé') as string,
    `Remise en place : ${path}`,
  ]);
});
