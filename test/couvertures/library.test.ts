import { join } from 'node:path';
import { truncateSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { CoverLibrary, realClock, writeChosen } from '#server/subjects/couvertures/library';
import type { Picture } from '#server/subjects/couvertures/image';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { VirtualClock } from './support/clock.ts';
import { picture, pictureFiles } from './support/pictures.ts';
import { insert } from './support/waiting.ts';

const MINUTE = 60_000;
const CLES = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
const [A = '', B = '', C = ''] = CLES;

/** What begins as a WebP of its length does. */
function webp(length: number): Buffer {
  const bytes = Buffer.alloc(length, 'RIFF');
  bytes.writeUInt32LE(length - 8, 4);
  return bytes;
}

/** A picture as it is kept: nobody decodes it here. */
const pictureOf = (cle: string): Picture => ({
  cle,
  type: 'image/png',
  taille: 5,
  largeur: 2,
  hauteur: 3,
  couleur: '#123456',
  content: Buffer.from('bytes'),
  ligne: webp(20),
  page: webp(30),
});

function open() {
  const folder = temporaryFolder();
  const database = temporaryDatabase(join(folder, 'maison.sqlite'));
  const covers = join(folder, 'couvertures');
  const clock = new VirtualClock();
  const library = new CoverLibrary(database, covers, clock);
  const keep = async (cle: string) => {
    const picture = pictureOf(cle);
    await library.write(picture);
    database.write((tx) => library.note(tx, picture));
  };
  const pass = (ms: number) => clock.run(ms, () => false);
  const kept = () => CLES.filter((cle) => pictureFiles(covers).includes(cle));
  return { database, covers, clock, library, keep, pass, kept };
}

test('a picture is read in each of its sizes', async () => {
  const { library, covers, keep } = open();
  await keep(A);
  expect(await library.read(A, 'originale')).toEqual({
    type: 'image/png',
    content: Buffer.from('bytes'),
  });
  expect(await library.read(A, 'ligne')).toEqual({ type: 'image/webp', content: webp(20) });
  expect(await library.read(A, 'page')).toEqual({ type: 'image/webp', content: webp(30) });
  expect(library.find(A)).toMatchObject({ cle: A, taille: 5, path: join(covers, A) });
  expect(library.isLost(A)).toBe(false);
});

test('a picture that is not kept is not read', async () => {
  const { library, keep } = open();
  await keep(A);
  expect([await library.read(B, 'page'), library.find(B)]).toEqual([null, null]);
});

test('a picture whose file is cut is told as lost', async () => {
  const { database, library, covers, keep } = open();
  for (const cle of [A, B]) await keep(cle);
  truncateSync(join(covers, A), 4);
  expect(library.find(A)).toBeNull();
  await database.writeLock.handOver('import', async () => {
    expect(await library.read(A, 'originale')).toBeNull();
  });
  expect(library.isLost(A)).toBe(false);
  expect(await library.read(A, 'originale')).toBeNull();
  expect([library.isLost(A), library.isLost(B)]).toEqual([true, false]);
  const revision = database.revision();
  expect(await library.read(A, 'originale')).toBeNull();
  expect(database.revision()).toBe(revision);
  // Nor can its thumbnails be made again.
  truncateSync(join(covers, `${A}.page.webp`), 8);
  expect(await library.read(A, 'page')).toBeNull();
  expect(await library.read(A, 'ligne')).not.toBeNull();
});

test('the next start knows which pictures are lost', async () => {
  const { database, covers, keep } = open();
  database.write((tx) => insert(tx, 1));
  await keep(A);
  database.write((tx) => writeChosen(tx, 'Livre', 1, A));
  truncateSync(join(covers, A), 4);
  const again = new CoverLibrary(database, covers);
  expect(again.isLost(A)).toBe(true);
  // Found again as it was.
  await again.write(pictureOf(A));
  expect(new CoverLibrary(database, covers).isLost(A)).toBe(false);
});

test('the next start removes the pictures that nothing names', async () => {
  const { database, library, covers, keep, kept } = open();
  database.write((tx) => insert(tx, 1));
  for (const cle of [A, B]) await keep(cle);
  database.write((tx) => writeChosen(tx, 'Livre', 1, A));
  await library.write(pictureOf(C));
  truncateSync(join(covers, A), 4);
  const again = new CoverLibrary(database, covers);
  // What the database does not know may be that of a file that comes back.
  expect(kept()).toEqual([A, C]);
  expect(await again.read(B, 'page')).toBeNull();
  const later = { ...realClock, now: () => Date.now() + 31 * 24 * 60 * MINUTE };
  expect(new CoverLibrary(database, covers, later).isLost(A)).toBe(true);
  expect(kept()).toEqual([A]);
});

test('a refused picture goes unless another write holds it', async () => {
  const { library, keep, kept, pass } = open();
  for (const cle of [A, A, B]) await library.write(pictureOf(cle));
  await keep(C);
  library.release(A);
  expect(kept()).toEqual([A, B, C]);
  library.release(A);
  library.release(B);
  library.release(C);
  expect(kept()).toEqual([C]);
  // Nobody holds it any more.
  library.release(C);
  await library.write(pictureOf(A));
  await pass(10 * MINUTE);
  await library.write(pictureOf(B));
  library.release(A);
  expect(kept()).toEqual([A, B, C]);
});

test('an unnamed picture is forgotten ten minutes after its writing', async () => {
  const { database, library, keep, kept, pass } = open();
  database.write((tx) => insert(tx, 1));
  for (const cle of [A, B, C]) await keep(cle);
  database.write((tx) => writeChosen(tx, 'Livre', 1, C));
  await pass(5 * MINUTE);
  await library.write(pictureOf(A));
  await library.forget([A, B, C]);
  expect(kept()).toEqual([A, B, C]);
  await pass(5 * MINUTE);
  await library.forget([A, B, C]);
  expect(kept()).toEqual([A, C]);
  await pass(5 * MINUTE - 1);
  await library.forget([A]);
  expect(kept()).toEqual([A, C]);
  await pass(1);
  await library.forget([A]);
  expect(kept()).toEqual([C]);
});

test('a picture that cannot be noted leaves no files', async () => {
  const { database, library, covers } = open();
  const content = await picture('#204060');
  const full = Object.assign(new Error('no space left'), { code: 'SQLITE_FULL' });
  const write = vi.spyOn(database, 'write').mockImplementation(() => {
    throw full;
  });
  await expect(library.add(content)).rejects.toBe(full);
  expect(pictureFiles(covers)).toEqual([]);
  write.mockRestore();
  const { cle } = await library.add(content);
  expect((await library.read(cle, 'originale'))?.content).toEqual(content);
});
