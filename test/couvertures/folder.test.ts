import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoverFiles } from '#server/subjects/couvertures/domain/files';
import { FolderUsers } from '#server/subjects/couvertures/domain/folder-users';
import { temporaryFolder } from '../support/database.ts';

const MINE = { epoque: 'une', inode: '1', fileName: 'maison.sqlite' };
const LIST = 'bibliotheque.txt';
const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];

/** Whether a database is alone in a folder once it has entered it. */
function entersAlone(folder: string, identity = MINE, knowsAll = true): boolean {
  const users = new FolderUsers(folder, identity);
  users.enter(knowsAll);
  return users.isAlone();
}

test('a folder is one database’s alone until another comes', () => {
  const folder = temporaryFolder();
  expect(new FolderUsers(folder, MINE).isAlone()).toBe(false);
  expect(entersAlone(folder)).toBe(true);
  expect(entersAlone(folder, MINE, false)).toBe(true);
  const list = readFileSync(join(folder, LIST), 'utf8');
  expect(list).toMatch(/^une 1 \d+\n$/);
  // Its copy, and another household.
  expect(entersAlone(folder, { ...MINE, inode: '2' })).toBe(false);
  expect(entersAlone(folder, { ...MINE, epoque: 'autre' })).toBe(false);
  expect(entersAlone(folder)).toBe(false);
  expect(readFileSync(join(folder, LIST), 'utf8').split('\n')).toHaveLength(4);
});

test.each([
  ['maison.sqlite\n', true, true],
  ['maison.sqlite\n', false, false],
  ['autre.sqlite\n', true, false],
  ['maison.sqlite\nautre.sqlite\n', true, false],
  ['', false, true],
  ['\n', false, true],
])('used by %j, its pictures known: %s, taken over: %s', (list, knowsAll, isAlone) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, LIST), list);
  expect(entersAlone(folder, MINE, knowsAll)).toBe(isAlone);
});

test('a database stays alone in a folder moved with it', () => {
  const [from, to] = [temporaryFolder(), temporaryFolder()];
  entersAlone(from);
  copyFileSync(join(from, LIST), join(to, LIST));
  expect(entersAlone(to, { ...MINE, inode: '2' }, false)).toBe(true);
  expect(entersAlone(from, { ...MINE, inode: '2' }, false)).toBe(false);
  const other = temporaryFolder();
  copyFileSync(join(to, LIST), join(other, LIST));
  expect(entersAlone(other, { ...MINE, epoque: 'autre' }, false)).toBe(false);
});

const bytes = (text: string) => Buffer.from(text);

function open() {
  const folder = join(temporaryFolder(), 'couvertures');
  const files = new CoverFiles(folder, MINE);
  return {
    folder,
    files,
    names: () =>
      readdirSync(folder)
        .filter((name) => name !== LIST)
        .sort(),
  };
}

test('a picture is there whole or not at all', async () => {
  const { folder, files, names } = open();
  for (const taille of ['originale', 'ligne', 'page'] as const)
    await files.write(A, taille, bytes(taille));
  await files.sync();
  expect(names()).toEqual([A, `${A}.ligne.webp`, `${A}.page.webp`]);
  expect(await files.read(A, 'page')).toEqual(bytes('page'));
  expect(await files.read(B, 'page')).toBeNull();
  expect(files.pathOf(A, 'originale')).toBe(join(folder, A));
  const whole = [9, 8].map((taille) => files.isWhole({ cle: A, taille }));
  expect([...whole, files.isWhole({ cle: B, taille: 9 })]).toEqual([true, false, false]);
  // What stands in its place is no file.
  mkdirSync(join(folder, B));
  await expect(files.read(B, 'originale')).rejects.toThrow('EISDIR');
  await expect(files.write(B, 'originale', bytes('x'))).rejects.toThrow();
  expect(names()).toHaveLength(4);
});

test('pictures are removed only where their household is alone', async () => {
  const { folder, files, names } = open();
  const others = ['photo.jpg', `${A}.autre`, 'a.ligne.webp', `x${A}`];
  const partials = [`${A}.0f.partiel`, `${A}.page.webp.0f.partiel`];
  const fill = async () => {
    for (const cle of [A, B])
      for (const taille of ['originale', 'ligne', 'page'] as const)
        await files.write(cle, taille, bytes('x'));
    for (const name of [...others, ...partials]) writeFileSync(join(folder, name), 'x');
  };
  const kept = [A, `${A}.ligne.webp`, `${A}.page.webp`];
  await fill();
  files.clear(new Set());
  files.remove([A]);
  expect(names()).toHaveLength(12);
  files.enter(new Set([A, B]));
  files.clear(new Set([A]));
  expect(names()).toEqual([...kept, ...others].sort());
  files.remove([A, B]);
  expect(names()).toEqual([...others].sort());
});

test('an older folder is taken over with all pictures known', async () => {
  for (const [known, isAlone] of [
    [[A, B], true],
    [[A], false],
  ] as const) {
    const { folder, files, names } = open();
    for (const cle of [A, B]) await files.write(cle, 'originale', bytes('x'));
    await files.write('c'.repeat(64), 'page', bytes('x'));
    writeFileSync(join(folder, LIST), 'maison.sqlite\n');
    files.enter(new Set(known));
    files.clear(new Set());
    expect(names().length === 0).toBe(isAlone);
  }
});
