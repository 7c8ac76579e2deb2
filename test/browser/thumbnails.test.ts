import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { ThumbnailStore } from '$lib/sync/thumbnails/store';
import { forget, forgetAll } from './household.ts';

const NAME = 'rayonnage|thumbnails|%2Fhouse';

const bytes = (...values: number[]): ArrayBuffer => new Uint8Array(values).buffer;
const valuesOf = (buffer: ArrayBuffer | null) => buffer && [...new Uint8Array(buffer)];

beforeEach(forgetAll);

/** A store as the page and the service worker each open it. */
function openStore(): ThumbnailStore {
  const store = new ThumbnailStore('/house');
  onTestFinished(() => store.close());
  return store;
}

/** The reader, as stored in the database. */
const readerIn = () =>
  new Promise((resolve) => {
    const opening = indexedDB.open(NAME);
    opening.onsuccess = () => {
      const asked = opening.result.transaction('state').objectStore('state').get('reader');
      asked.onsuccess = () => resolve(asked.result);
      opening.result.close();
    };
  });

test('the service worker reads the thumbnails that the page stores', async () => {
  const [page, worker] = [openStore(), openStore()];
  await page.put('household', new Map([['a', bytes(1, 2)]]));
  expect(valuesOf(await worker.read('a'))).toEqual([1, 2]);
  expect(await worker.read('b')).toBeNull();
  await page.remove('household', ['a']);
  expect(await worker.read('a')).toBeNull();
});

test('a reader’s own pictures are shown to nobody else', async () => {
  const page = openStore();
  await page.setReader('alice');
  await page.put({ reader: 'alice' }, new Map([['a', bytes(1)]]));
  await page.put({ reader: 'alice b' }, new Map([['b', bytes(2)]]));
  expect(valuesOf(await openStore().read('a'))).toEqual([1]);
  expect(await openStore().read('b')).toBeNull();
  for (const reader of ['bob', 'alic', '', null]) {
    await page.setReader(reader);
    expect(await openStore().read('a')).toBeNull();
  }
});

test('the keys of one reader are no other reader’s', async () => {
  const store = openStore();
  const readers = ['alice', 'alice b', 'alicé', 'ALICE', 'a', '0'];
  for (const reader of readers) await store.put({ reader }, new Map([[`of ${reader}`, bytes(1)]]));
  await store.put('household', new Map([['shared', bytes(1)]]));
  for (const reader of readers)
    expect(await store.keys(reader)).toEqual({
      household: new Set(['shared']),
      own: new Set([`of ${reader}`]),
    });
  expect(await store.keys(null)).toEqual({ household: new Set(['shared']), own: new Set() });
});

test('all keys are returned, more than one read returns', async () => {
  const store = openStore();
  const many = Array.from({ length: 1_203 }, (_, index) => String(index).padStart(64, '0'));
  const pictures = new Map(many.map((cle) => [cle, bytes(1)]));
  await store.put('household', pictures);
  for (const reader of ['alice', 'bob']) await store.put({ reader }, pictures);
  expect(await store.keys('alice')).toEqual({ household: new Set(many), own: new Set(many) });
  await store.remove({ reader: 'alice' }, many.slice(3));
  expect((await store.keys('alice')).own).toEqual(new Set(many.slice(0, 3)));
});

test('pictures that are on a device are read on', async () => {
  await new Promise<void>((done) => {
    const making = indexedDB.open(NAME, 1);
    making.onupgradeneeded = () => {
      for (const table of ['house', 'own', 'state']) making.result.createObjectStore(table);
      making.transaction?.objectStore('house').put(bytes(1), 'a');
      making.transaction?.objectStore('own').put(bytes(2), ['alice', 'b']);
      making.transaction?.objectStore('state').put('alice', 'reader');
    };
    making.onsuccess = () => {
      making.result.close();
      done();
    };
  });
  const store = openStore();
  expect(valuesOf(await store.read('a'))).toEqual([1]);
  expect(valuesOf(await store.read('b'))).toEqual([2]);
});

test('a deleted database is created again by the store', async () => {
  const store = openStore();
  await store.put('household', new Map([['a', bytes(1)]]));
  await forget(NAME);
  expect(await store.read('a')).toBeNull();
  await store.put('household', new Map([['b', bytes(2)]]));
  expect(valuesOf(await store.read('b'))).toEqual([2]);
});

test('a forgotten reader is no longer named anywhere', async () => {
  const [page, other] = [openStore(), openStore()];
  await page.setReader('alice');
  for (const reader of ['alice', 'alice b']) await page.put({ reader }, new Map([['a', bytes(1)]]));
  await page.forget('alice', false);
  expect(await readerIn()).toBeUndefined();
  expect((await page.keys('alice')).own).toEqual(new Set());
  await other.setReader('alice b');
  await page.forget('alice', false);
  expect(valuesOf(await other.read('a'))).toEqual([1]);
});

test('the household’s pictures go with the last reader, not before', async () => {
  const store = openStore();
  await store.put('household', new Map([['a', bytes(1)]]));
  await store.forget('alice', false);
  expect(valuesOf(await store.read('a'))).toEqual([1]);
  await store.forget('bob', true);
  expect(await store.read('a')).toBeNull();
});
