import { Dexie } from 'dexie';
import type { RxStorage } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { base } from '../format/address.ts';

export { dropEarlier, readEarlier } from './earlier.ts';

/**
 * RxDB's storage on IndexedDB. RxDB remembers a failed opening for as long as the page lives, so another
 * database is opened first: where that fails RxDB is not asked.
 *
 * @param onClosed called with the RxDatabase's name when its packs are closed, by whomever
 */
export async function openStorage(
  onClosed: (database: string) => void,
): Promise<RxStorage<unknown, unknown>> {
  const probe = new Dexie(`rayonnage|probe|${base}`);
  probe.version(1).stores({});
  try {
    await probe.open();
  } finally {
    probe.close();
  }
  return getRxStorageDexie({
    cache: 'disabled',
    // What a power cut takes is pulled from the server again.
    chromeTransactionDurability: 'relaxed',
    // RxDB would find it out at the next write. Replications close what is theirs whenever they end.
    onCreate: (database, name) => {
      if (name.endsWith('--packs')) database.on('close', () => onClosed(nameIn(name)));
    },
  });
}

/** How RxDB names a database: one for each collection of an RxDatabase. */
const BEGIN = 'rxdb-dexie-';
const nameIn = (name: string): string => name.slice(BEGIN.length).split('--')[0] ?? '';

/**
 * Deletes the RxDatabases whose names are this one, or begin with it and a number, but for some. RxDB would open each
 * to do so, and leave it there empty.
 */
export async function drop(prefix: string, except: readonly string[]): Promise<void> {
  const databases = await indexedDB.databases();
  const gone = databases.flatMap(({ name = '' }) => {
    const own = nameIn(name);
    const isTheirs = own === prefix || /^\|\d+$/.test(own.slice(prefix.length));
    return name.startsWith(BEGIN + prefix) && isTheirs && !except.includes(own) ? [name] : [];
  });
  await Promise.all(gone.map(deleted));
}

/** Another tab that has it open closes it when it is asked to; one that is frozen does when it wakes. */
const deleted = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve());
    request.addEventListener('blocked', () => resolve());
    request.addEventListener('error', () => reject(request.error ?? new Error(name)));
  });
