import { Dexie } from 'dexie';
import type { RxStorage } from 'rxdb/plugins/core';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';

import { base } from '../../format/address.ts';

export { dropEarlier, readEarlier } from './earlier.ts';

/**
 * RxDB's storage on IndexedDB. RxDB remembers a failed opening for as long as the page lives, so another
 * database is opened first: where that fails RxDB is not asked.
 */
export async function openStorage(
  onClosed: (collection: string) => void,
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
    // RxDB would find it out at the next write.
    onCreate: (database, name) =>
      database.on('close', () => onClosed(name.split('--').at(-1) ?? '')),
  });
}

/** Deletes the database that RxDB leaves behind of a collection. */
export const sweep = (database: string, collection: string): Promise<void> =>
  Dexie.delete(`rxdb-dexie-${database}--0--${collection}`);
