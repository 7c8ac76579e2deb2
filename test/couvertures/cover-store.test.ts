import { join } from 'node:path';
import { truncateSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { CoverStore, realClock, writeChosen } from '#server/subjects/couvertures/cover-store';
import type { Picture } from '#server/subjects/couvertures/image';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { VirtualClock } from './support/clock.ts';
import { picture, pictureFiles } from './support/pictures.ts';
import { insert } from './support/waiting.ts';

const MINUTE = 60_000;
const CLES = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
const [A = '', B = '', C = ''] = CLES;

/** A WebP header that declares this length. */
function webp(length: number): Buffer {
  const bytes = Buffer.alloc(length, 'RIFF');
  bytes.writeUInt32LE(length - 8, 4);
  return bytes;
}

/** A picture that nothing decodes in these tests. */
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
  const store = new CoverStore(database, covers, clock);
  const keep = async (cle: string) => {
    const picture = pictureOf(cle);
    await store.write(picture);
    database.write((tx) => store.note(tx, picture));
  };
  const pass = (ms: number) => clock.run(ms, () => false);
  const kept = () => CLES.filter((cle) => pictureFiles(covers).includes(cle));
  return { database, covers, clock, store, keep, pass, kept };
}

test('a picture is read in each of its sizes', async () => {
  const { store, covers, keep } = open();
  await keep(A);
  expect(await store.read(A, 'originale')).toEqual({
    type: 'image/png',
    content: Buffer.from('bytes'),
  });
  expect(await store.read(A, 'ligne')).toEqual({ type: 'image/webp', content: webp(20) });
  expect(await store.read(A, 'page')).toEqual({ type: 'image/webp', content: webp(30) });
  expect(store.find(A)).toMatchObject({ cle: A, taille: 5, path: join(covers, A) });
  expect(store.isLost(A)).toBe(false);
});

test('a picture that is not kept is not read', async () => {
  const { store, keep } = open();
  await keep(A);
  expect([await store.read(B, 'page'), store.find(B)]).toEqual([null, null]);
});

test('a picture whose file is truncated is reported as lost', async () => {
  const { database, store, covers, keep } = open();
  for (const cle of [A, B]) await keep(cle);
  truncateSync(join(covers, A), 4);
  expect(store.find(A)).toBeNull();
  await database.writeLock.handOver('import', async () => {
    expect(await store.read(A, 'originale')).toBeNull();
  });
  expect(store.isLost(A)).toBe(false);
  expect(await store.read(A, 'originale')).toBeNull();
  expect([store.isLost(A), store.isLost(B)]).toEqual([true, false]);
  const revision = database.revision();
  expect(await store.read(A, 'originale')).toBeNull();
  expect(database.revision()).toBe(revision);
  // Without the original, its thumbnails cannot be created again.
  truncateSync(join(covers, `${A}.page.webp`), 8);
  expect(await store.read(A, 'page')).toBeNull();
  expect(await store.read(A, 'ligne')).not.toBeNull();
});

test('the next start knows which pictures are lost', async () => {
  const { database, covers, keep } = open();
  database.write((tx) => insert(tx, 1));
  await keep(A);
  database.write((tx) => writeChosen(tx, 'Livre', 1, A));
  truncateSync(join(covers, A), 4);
  const again = new CoverStore(database, covers);
  expect(again.isLost(A)).toBe(true);
  // The same picture is stored again.
  await again.write(pictureOf(A));
  expect(new CoverStore(database, covers).isLost(A)).toBe(false);
});

test('the next start removes unreferenced pictures', async () => {
  const { database, store, covers, keep, kept } = open();
  database.write((tx) => insert(tx, 1));
  for (const cle of [A, B]) await keep(cle);
  database.write((tx) => writeChosen(tx, 'Livre', 1, A));
  await store.write(pictureOf(C));
  truncateSync(join(covers, A), 4);
  const again = new CoverStore(database, covers);
  // A picture without a record is kept for a while, in case an older database is put back.
  expect(kept()).toEqual([A, C]);
  expect(await again.read(B, 'page')).toBeNull();
  const later = { ...realClock, now: () => Date.now() + 31 * 24 * 60 * MINUTE };
  expect(new CoverStore(database, covers, later).isLost(A)).toBe(true);
  expect(kept()).toEqual([A]);
});

test('a refused picture goes unless another write holds it', async () => {
  const { store, keep, kept, pass } = open();
  for (const cle of [A, A, B]) await store.write(pictureOf(cle));
  await keep(C);
  store.release(A);
  expect(kept()).toEqual([A, B, C]);
  store.release(A);
  store.release(B);
  store.release(C);
  expect(kept()).toEqual([C]);
  // No write needs it any more.
  store.release(C);
  await store.write(pictureOf(A));
  await pass(10 * MINUTE);
  await store.write(pictureOf(B));
  store.release(A);
  expect(kept()).toEqual([A, B, C]);
});

test('an unnamed picture is forgotten ten minutes after its writing', async () => {
  const { database, store, keep, kept, pass } = open();
  database.write((tx) => insert(tx, 1));
  for (const cle of [A, B, C]) await keep(cle);
  database.write((tx) => writeChosen(tx, 'Livre', 1, C));
  await pass(5 * MINUTE);
  await store.write(pictureOf(A));
  await store.forget([A, B, C]);
  expect(kept()).toEqual([A, B, C]);
  await pass(5 * MINUTE);
  await store.forget([A, B, C]);
  expect(kept()).toEqual([A, C]);
  await pass(5 * MINUTE - 1);
  await store.forget([A]);
  expect(kept()).toEqual([A, C]);
  await pass(1);
  await store.forget([A]);
  expect(kept()).toEqual([C]);
});

test('a picture that cannot be noted leaves no files', async () => {
  const { database, store, covers } = open();
  const content = await picture('#204060');
  const full = Object.assign(new Error('no space left'), { code: 'SQLITE_FULL' });
  const write = vi.spyOn(database, 'write').mockImplementation(() => {
    throw full;
  });
  await expect(store.add(content)).rejects.toBe(full);
  expect(pictureFiles(covers)).toEqual([]);
  write.mockRestore();
  const { cle } = await store.add(content);
  expect((await store.read(cle, 'originale'))?.content).toEqual(content);
});
