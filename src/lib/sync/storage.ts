import { Dexie } from 'dexie';
import type { RxStorage } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { base } from '../format/address.ts';
import { allNames, isEarlier } from './earlier.ts';
import { databaseName, databasePrefix } from './ports.ts';
import type { Reader } from './status.ts';
import { DEXIE } from './stored.ts';

// In this file's chunk: what opens a copy comes in one request.
export { readEarlier } from './earlier.ts';

/**
 * RxDB's storage on IndexedDB. RxDB remembers a failed opening for as long as the page lives, so another
 * database is opened first: where that fails RxDB is not asked.
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
    // RxDB finds a closed database out at its next write only. Replications close what is theirs whenever they end.
    onCreate: (database, name) => {
      if (name.endsWith('--packs')) database.on('close', () => onClosed(nameIn(name)));
    },
  });
}

const nameIn = (name: string): string => name.slice(DEXIE.length).split('--')[0] ?? '';

/**
 * Deletes a reader's copies but for those of some numbers, and what earlier versions of the application have kept of
 * them. RxDB would open each to do so, and leave it there empty.
 *
 * @returns false where another tab still has one open, as a frozen one does: it goes when that tab wakes or ends
 */
export async function drop(reader: Reader, except: readonly number[]): Promise<boolean> {
  const prefix = databasePrefix(base, reader);
  const kept = except.map((number) => databaseName(prefix, number));
  const isTheirs = (name: string) => {
    const own = nameIn(name);
    const isCopy = own === prefix || /^\|\d+$/.test(own.slice(prefix.length));
    return name.startsWith(DEXIE + prefix) && isCopy && !kept.includes(own);
  };
  const isOfEarlier = isEarlier(base, reader);
  const gone = (await allNames()).filter((name) => isTheirs(name) || isOfEarlier(name));
  return (await Promise.all(gone.map(deleted))).every(Boolean);
}

/** How long other tabs have to close a database, in milliseconds: « blocked » comes only once all have answered. */
const CLOSING_MS = 2_000;

const deleted = (name: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.addEventListener('success', () => resolve(true));
    setTimeout(() => resolve(false), CLOSING_MS);
    request.addEventListener('error', () => reject(request.error ?? new Error(name)));
  });
