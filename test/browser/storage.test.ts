import { commands } from 'vitest/browser';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { livresView } from '$lib/records/livres/view.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { STATE } from '$lib/sync/packs';
import { DEXIE, openStored } from '$lib/sync/stored';
import { device } from '$lib/sync/this-device';
import { views } from '$lib/sync/views.svelte';
import {
  addLivre,
  closeCopy,
  copyNames,
  forget,
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

describe('a storage that another tab keeps from opening', () => {
  const holders = { 'in the middle of an upgrade': hold, 'at an older version': holdOlder };

  test.each(['in the middle of an upgrade', 'at an older version'] as const)(
    'stops no reading from the server: %s',
    async (how) => {
      const name = await copyThenClose();
      await addLivre('Orlando');
      await commands.setFrontBehaviour('noNetwork');
      const release = await holders[how](name);
      onTestFinished(release);
      openCopy();
      await expect.poll(() => connection.status).toBe('offline');
      await expect.poll(() => device.status.storage, PATIENCE).toBe('storageBlocked');
      // Of the two problems, the one that prevents updates is shown.
      expect(connection.status).toBe('offline');

      await commands.setFrontBehaviour('transparent');
      dispatchEvent(new Event('online'));
      await expect.poll(titres, PATIENCE).toEqual(['Les Vagues', 'Orlando']);
      expect(connection.status).toBe('storageBlocked');
      await addLivre('Flush');
      await expect.poll(titres, PATIENCE).toEqual(['Flush', 'Les Vagues', 'Orlando']);

      release();
      await expect.poll(() => connection.status, PATIENCE).toMatch(/online|forgotten/);
      expect(device.status.storage).toBeNull();
      expect(titres()).toEqual(['Flush', 'Les Vagues', 'Orlando']);
      await untilCurrent();
      await untilWritten();
      await closeCopy();
      await commands.setFrontBehaviour('noNetwork');
      openCopy();
      await expect.poll(titres, PATIENCE).toEqual(['Flush', 'Les Vagues', 'Orlando']);
    },
  );
});

/** Explains what to do if this assertion fails. */
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

test('the whole replica is shown before RxDB has opened it', async () => {
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

test('on a full disk the stored replica stays, and changes are kept in memory', async () => {
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
    // Like Firefox.
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

describe('the stored values of versions 0.1 and 1.0 are removed', () => {
  const OF_BEFORE = [
    'rxdb-dexie-rayonnage-1a2b3c-alice--0--livres',
    'rxdb-dexie-rayonnage-1a2b3c-alice--0--local',
    'rayonnage|copy||alice|shapes|1',
    'rayonnage|kept||alice',
  ];
  const OF_OTHERS = [
    'rxdb-dexie-rayonnage-1a2b3c-alice2--0--livres',
    'rayonnage|copy||alice2|shapes|1',
    'rayonnage|copy|%2Fhouse|alice|shapes|1',
  ];

  beforeEach(async () => {
    for (const name of [...OF_BEFORE, ...OF_OTHERS]) await make(name);
  });

  const left = async () =>
    (await indexedDB.databases())
      .flatMap(({ name = '' }) =>
        OF_BEFORE.includes(name) || OF_OTHERS.includes(name) ? name : [],
      )
      .toSorted();

  test('once the current replica is complete', async () => {
    await commands.setFrontBehaviour('noNetwork');
    openCopy();
    await expect.poll(() => device.status.isOpen, PATIENCE).toBe(true);
    expect(await left()).toHaveLength(OF_BEFORE.length + OF_OTHERS.length);
    await commands.setFrontBehaviour('transparent');
    await untilCurrent();
    expect(titres()).toEqual(['Les Vagues']);
    await expect.poll(left).toEqual(OF_OTHERS.toSorted());
  });

  test('with the reader’s copy', async () => {
    await device.forget('alice');
    expect(await left()).toEqual(OF_OTHERS.toSorted());
  });
});

/** Blocks a database during an upgrade, like a browser that opens it slowly. */
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

/** Keeps a database open at an older version, like a tab of an earlier application. */
async function holdOlder(name: string): Promise<() => void> {
  await forget(name);
  const database = await new Promise<IDBDatabase>((opened) => {
    const request = indexedDB.open(name, 1);
    request.onsuccess = () => opened(request.result);
  });
  return () => database.close();
}

/** Makes IndexedDB refuse every write for lack of space, until the returned function is called. */
function fillTheDisk(): () => void {
  const put: unknown = Reflect.get(IDBObjectStore.prototype, 'put');
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
  const empty = () => void Reflect.set(IDBObjectStore.prototype, 'put', put);
  onTestFinished(empty);
  return empty;
}

/** A database with one table, as Dexie creates it. */
function make(name: string): Promise<void> {
  return new Promise((done) => {
    const request = indexedDB.open(name, 10);
    request.onupgradeneeded = () => request.result.createObjectStore('docs', { keyPath: 'id' });
    request.onsuccess = () => {
      request.result.close();
      done();
    };
  });
}
