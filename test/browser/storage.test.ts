import { Errors } from 'typebox/value';
import { commands } from 'vitest/browser';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { livresView } from '$lib/records/livres/view.svelte';
import { STATE } from '$lib/sync/packs';
import { DEXIE, openStored } from '$lib/sync/stored';
import { device } from '$lib/sync/this-device';
import { views } from '$lib/sync/views.svelte';
import { collections } from '#shared/collections';
import {
  addLivre,
  closeCopy,
  copyNames,
  moveIn,
  moveOut,
  openCopy,
  untilCurrent,
  untilWritten,
} from './household.ts';
import { openTab } from './tabs.ts';

const PATIENCE = { timeout: 30_000 };
const titres = () => livresView.search({}).map(({ titre }) => titre);

beforeEach(async () => {
  await moveIn();
  await addLivre('Les Vagues');
});
afterAll(moveOut);

async function copyThenClose(): Promise<string> {
  openCopy();
  await untilCurrent();
  await closeCopy();
  return (await copyNames())[0] ?? '';
}

test('a database that opens late offline is waited for', async () => {
  const name = await copyThenClose();
  await commands.setFrontBehaviour('noNetwork');
  const release = await hold(name);
  openCopy();
  await expect.poll(() => device.status.reader).toBe('alice');
  expect(views().isOpening).toBe(true);
  release();
  await expect.poll(titres, PATIENCE).toEqual(['Les Vagues']);
  expect(await copyNames()).toEqual([name]);
});

/** What is to be done where this no longer holds. */
const CONTRACT =
  'this RxDB keeps documents otherwise: look in its plugins/storage-dexie how it names databases and tables, write that ' +
  'into src/lib/sync/stored.ts, and see that a copy of before is opened, or else that its start waits for RxDB';

test('the installed RxDB keeps the packs of a copy where stored.ts reads them', async () => {
  const name = await copyThenClose();
  expect(name, CONTRACT).toMatch(new RegExp(`^${DEXIE}.+--0--packs$`));
  const stored = await openStored(name.slice(DEXIE.length).replace(/--0--packs$/, ''));
  onTestFinished(() => stored?.close());
  const packs = await stored?.storageInstance.findDocumentsById([STATE, 'livres/0'], false);
  expect(
    packs?.map(({ id }) => id),
    CONTRACT,
  ).toEqual([STATE, 'livres/0']);
});

test('the whole copy is shown before RxDB has opened it', async () => {
  openCopy();
  await untilCurrent();
  await addLivre('Orlando');
  await expect.poll(titres, PATIENCE).toEqual(['Les Vagues', 'Orlando']);
  await untilWritten();
  await closeCopy();
  const [name = ''] = await copyNames();
  const release = await hold(name.replace('--packs', '--answers'));
  onTestFinished(release);
  await commands.setFrontBehaviour('noNetwork');
  openCopy();
  await expect.poll(titres).toEqual(['Les Vagues', 'Orlando']);
  await expect.poll(() => views().isReady).toBe(true);
  release();
  await expect.poll(titres, PATIENCE).toEqual(['Les Vagues', 'Orlando']);
});

test('a full disk keeps its copy beside what is new', async () => {
  const name = await copyThenClose();
  openCopy();
  await untilCurrent();
  const empty = fillTheDisk();
  await addLivre('Orlando');
  await expect.poll(titres, PATIENCE).toEqual(['Les Vagues', 'Orlando']);
  await expect.poll(() => device.status.storage).toBe('storageFull');
  await closeCopy();
  await commands.setFrontBehaviour('noNetwork');
  openCopy();
  await expect.poll(titres, PATIENCE).toEqual(['Les Vagues']);
  await closeCopy();
  expect(await copyNames()).toEqual([name]);

  empty();
  await commands.setFrontBehaviour('transparent');
  openCopy();
  await untilCurrent();
  expect(device.status.storage).toBeNull();
  expect(titres()).toEqual(['Les Vagues', 'Orlando']);
});

describe('site data blocked altogether', () => {
  const block = (world: Window & typeof globalThis) => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    for (const name of ['localStorage', 'indexedDB', 'BroadcastChannel'])
      Object.defineProperty(world, name, { get: refuse });
    // As Firefox does.
    Object.defineProperty(world.navigator.locks, 'request', {
      value: () => Promise.reject(new DOMException('not allowed', 'SecurityError')),
    });
  };

  test('leaves a copy in memory, and a sentence', async () => {
    const tab = await openTab({ prepare: block });
    await expect.poll(tab.titres, PATIENCE).toEqual(['Les Vagues']);
    await expect.poll(() => tab.connection.status, PATIENCE).toBe('storageBlocked');
    await addLivre('Orlando');
    await expect.poll(tab.titres, PATIENCE).toEqual(['Les Vagues', 'Orlando']);
    expect(tab.reportedErrors().length).toBeGreaterThan(0);
    expect(tab.views().isOpening).toBe(false);
  });
});

describe('the copy of an earlier version is shown until today’s is whole', () => {
  async function isShownThenReplaced(count: number, prefix: string): Promise<void> {
    localStorage.setItem('rayonnage.lecteur', JSON.stringify({ utilisateur: 'alice' }));
    await commands.setFrontBehaviour('noNetwork');
    openCopy();
    await expect.poll(() => titres().length, PATIENCE).toBe(count);
    await expect.poll(() => livresView.isReady(), PATIENCE).toBe(true);
    const [livre] = livresView.search({});
    expect([...Errors(collections.livres.document, livre)]).toEqual([]);

    await commands.setFrontBehaviour('transparent');
    // The house has none of its books.
    await expect.poll(() => device.status.connection, PATIENCE).toBe('otherHousehold');
    expect(titres()).toHaveLength(count);
    device.library?.answer('take');
    await expect.poll(titres, PATIENCE).toEqual(['Les Vagues']);
    await untilCurrent();
    await expect
      .poll(async () =>
        (await indexedDB.databases()).filter(({ name }) => name?.startsWith(prefix)),
      )
      .toEqual([]);
  }

  test('of the first version', async () => {
    await writeEarlier('alice', [
      { id: 7, titre: 'Mrs Dalloway', dateAjout: '2026-01-02T03:04:05.000Z' },
    ]);
    await isShownThenReplaced(1, 'rxdb-dexie-rayonnage-');
  });

  async function writeVersion1(): Promise<void> {
    const packed = await commands.readFile('test/released/1.0.0/copy.json.gz', 'base64');
    const text = new Blob([Uint8Array.from(atob(packed), (char) => char.charCodeAt(0))])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'));
    const rows = JSON.parse(await new Response(text).text()) as object[];
    await storeRows('rayonnage|copy||alice|shapes|1', 'key', rows);
  }

  test('of version 1.0.0', async () => {
    await writeVersion1();
    await isShownThenReplaced(30, 'rayonnage|copy|');
  });

  test('or until the reader’s copy is deleted', async () => {
    await writeEarlier('alice', [{ id: 7, titre: 'Mrs Dalloway' }]);
    await writeVersion1();
    await device.forget('alice');
    const left = (await indexedDB.databases()).map(({ name }) => name);
    expect(left.filter((name) => name?.includes('alice'))).toEqual([]);
  });
});

/** Holds a database in the middle of an upgrade, as a browser does that is slow to open it. */
function hold(name: string): Promise<() => void> {
  return new Promise((held) => {
    const request = indexedDB.open(name, 1_000);
    request.onupgradeneeded = () => {
      const { transaction } = request;
      let isHeld = true;
      const goOn = () => {
        if (!isHeld) transaction?.abort();
        else if (transaction) transaction.objectStore('docs').count().onsuccess = goOn;
      };
      goOn();
      held(() => (isHeld = false));
    };
  });
}

/** Has IndexedDB refuse every write for want of room until the returned function is called. */
function fillTheDisk(): () => void {
  const put: unknown = Reflect.get(IDBObjectStore.prototype, 'put');
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
  const empty = () => void Reflect.set(IDBObjectStore.prototype, 'put', put);
  onTestFinished(empty);
  return empty;
}

/** A copy as the first version of the application has left it. */
async function writeEarlier(reader: string, livres: readonly object[]): Promise<void> {
  const kinds = ['livres', 'auteurs', 'prets', 'series', 'revues', 'numeros', 'statuts'];
  const all = [...kinds, 'souhaits', 'souhaits-revues'];
  const rows = (documents: readonly object[], key: (one: object) => string) =>
    documents.map((one) => ({ ...one, cle: key(one), _deleted: '0', _meta: { lwt: 1 } }));
  const write = (collection: string, documents: readonly object[]) =>
    storeRows(`rxdb-dexie-rayonnage-1a2b3c-${reader}--0--${collection}`, 'cle', documents);
  for (const kind of all)
    await write(
      kind,
      kind === 'livres' ? rows(livres, (one) => String(Reflect.get(one, 'id'))) : [],
    );
  await write(
    'local',
    rows(
      all.map((kind) => ({ kind })),
      (one) => `jalon:${String(Reflect.get(one, 'kind'))}`,
    ),
  );
}

/** Rows as Dexie keeps them, in a database with one table. */
function storeRows(name: string, keyPath: string, rows: readonly object[]): Promise<void> {
  return new Promise((done) => {
    const request = indexedDB.open(name, 10);
    request.onupgradeneeded = () => request.result.createObjectStore('docs', { keyPath });
    request.onsuccess = () => {
      const transaction = request.result.transaction('docs', 'readwrite');
      for (const row of rows) transaction.objectStore('docs').put(row);
      transaction.oncomplete = () => {
        request.result.close();
        done();
      };
    };
  });
}
