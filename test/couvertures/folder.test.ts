import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CoverFiles } from '#server/subjects/couvertures/cover-store';
import { temporaryFolder } from '../support/database.ts';

const LIST = 'bibliotheque.txt';
const [A, B] = ['a'.repeat(64), 'b'.repeat(64)];
const DAY_MS = 24 * 3_600_000;

test('a folder is one household’s and refused to any other', () => {
  const folder = temporaryFolder();
  for (let nth = 0; nth < 2; nth++)
    expect(new CoverFiles(folder, 'une')).toBeInstanceOf(CoverFiles);
  expect(readFileSync(join(folder, LIST), 'utf8')).toBe('bibliotheque une\n');
  expect(() => new CoverFiles(folder, 'autre')).toThrow('à une autre bibliothèque');
  expect(readFileSync(join(folder, LIST), 'utf8')).toBe('bibliotheque une\n');
});

test.each(['maison.sqlite\n', 'une 1 2\nautre 3 4\n', ''])(
  'an older version’s folder, noted %j, is taken over',
  (list) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, LIST), list);
    expect(new CoverFiles(folder, 'une')).toBeInstanceOf(CoverFiles);
    expect(readFileSync(join(folder, LIST), 'utf8')).toMatch(/^bibliotheque une$/m);
    expect(() => new CoverFiles(folder, 'autre')).toThrow();
  },
);

const bytes = (text: string) => Buffer.from(text);

function open() {
  const folder = join(temporaryFolder(), 'couvertures');
  const files = new CoverFiles(folder, 'une');
  return {
    folder,
    files,
    names: () =>
      readdirSync(folder)
        .filter((name) => name !== LIST)
        .sort(),
  };
}

test('a picture is stored completely or not at all', async () => {
  const { folder, files, names } = open();
  for (const taille of ['originale', 'ligne', 'page'] as const)
    await files.write(A, taille, bytes(taille));
  await files.sync();
  expect(names()).toEqual([A, `${A}.ligne.webp`, `${A}.page.webp`]);
  expect(await files.read(A, 'page')).toEqual(bytes('page'));
  expect(await files.read(B, 'page')).toBeNull();
  expect(files.pathOf(A, 'originale')).toBe(join(folder, A));
  const complete = [9, 8].map((taille) => files.isWhole({ cle: A, taille }));
  expect([...complete, files.isWhole({ cle: B, taille: 9 })]).toEqual([true, false, false]);
  // A folder is in its place.
  mkdirSync(join(folder, B));
  await expect(files.read(B, 'originale')).rejects.toThrow('EISDIR');
  await expect(files.write(B, 'originale', bytes('x'))).rejects.toThrow();
  expect(names()).toHaveLength(4);
});

test('only pictures that are unknown and old are cleared', async () => {
  const { folder, files, names } = open();
  const others = ['photo.jpg', `${A}.autre`, 'a.ligne.webp', `x${A}`];
  const partials = [`${A}.0f.partiel`, `${A}.page.webp.0f.partiel`];
  for (const cle of [A, B])
    for (const taille of ['originale', 'ligne', 'page'] as const)
      await files.write(cle, taille, bytes('x'));
  for (const name of [...others, ...partials]) writeFileSync(join(folder, name), 'x');
  const present = [A, B].flatMap((cle) => [cle, `${cle}.ligne.webp`, `${cle}.page.webp`]);
  const now = Date.now();
  files.clear(new Set(), now - DAY_MS);
  expect(names()).toEqual([...present, ...others].sort());
  files.clear(new Set([A]), now + DAY_MS);
  expect(names()).toEqual([...present.slice(0, 3), ...others].sort());
  files.remove([A, B]);
  expect(names()).toEqual([...others].sort());
});
