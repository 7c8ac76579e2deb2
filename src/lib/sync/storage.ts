import { Dexie } from 'dexie';
import type { RxStorage } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { base } from '../format/address.ts';
import { answerOf } from './indexed-db.ts';
import { databaseName, databasePrefix } from './ports.ts';
import type { Reader } from './status.ts';
import { DEXIE } from './stored.ts';

/**
 * RxDB's storage on IndexedDB. RxDB remembers a failed opening for the page's lifetime, so that another database is
 * opened first: if that fails RxDB is not used.
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
    // Writes lost by a power cut are pulled again.
    chromeTransactionDurability: 'relaxed',
    // RxDB notices a closed database at its next write only. Replications close their own databases
    // at their end.
    onCreate: (database, name) => {
      if (name.endsWith('--packs')) database.on('close', () => onClosed(nameIn(name)));
    },
  });
}

const nameIn = (name: string): string => name.slice(DEXIE.length).split('--')[0] ?? '';

/**
 * Deletes a reader's replicas except some numbers, including those of versions 0.1 and 1.0. RxDB would open each
 * first, and leave it empty.
 *
 * @returns false if another tab, such as a frozen one, still has one open: it is deleted when that tab wakes or ends
 */
export async function drop(reader: Reader, except: readonly number[]): Promise<boolean> {
  const prefix = databasePrefix(base, reader);
  const kept = except.map((number) => databaseName(prefix, number));
  const isTheirs = (name: string) => {
    const own = nameIn(name);
    const isCopy = own === prefix || /^\|\d+$/.test(own.slice(prefix.length));
    return name.startsWith(DEXIE + prefix) && isCopy && !kept.includes(own);
  };
  const names = (await indexedDB.databases()).flatMap(({ name }) => name ?? []);
  const gone = names.filter((name) => isTheirs(name) || isOfBefore(name, reader));
  return (await Promise.all(gone.map(deleted))).every(Boolean);
}

/** How long other tabs have to close a database, in milliseconds: « blocked » is only fired once all have answered. */
const CLOSING_MS = 2_000;

const deleted = (name: string): Promise<boolean> =>
  Promise.race([
    answerOf(indexedDB.deleteDatabase(name)).then(() => true),
    new Promise<false>((resolve) => void setTimeout(() => resolve(false), CLOSING_MS)),
  ]);

/** Whether a database of a reader is of version 0.1 or 1.0; 0.1 existed at the root only. */
function isOfBefore(name: string, reader: Reader): boolean {
  const whose = encodeURIComponent(reader ?? '');
  const second = ['copy', 'kept'].map((kind) =>
    [`rayonnage|${kind}`, encodeURIComponent(base), whose].join('|'),
  );
  const [, first] = /^rxdb-dexie-rayonnage-[^-]+-(.*)--0--/.exec(name) ?? [];
  return (
    (base === '' && first === whose) || second.some((begin) => `${name}|`.startsWith(`${begin}|`))
  );
}
