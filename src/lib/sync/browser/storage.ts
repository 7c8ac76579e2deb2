import { base } from '../../format/address.ts';
import type { StoragePort } from '../ports.ts';
import { report } from '../report.ts';

/**
 * Loaded at the first use, and again where that failed. Where site data is blocked Dexie throws when it
 * is loaded, and the application must go on without it.
 */
const dexie = () => import('./dexie.ts');

/** Databases in IndexedDB or in memory. The first version lived at the root: its copies are nobody else's. */
export const storage: StoragePort & { preload: () => void } = {
  /** Loads it while the server is asked who reads. */
  preload: () =>
    void dexie().catch((error: unknown) => report(error, 'loading the storage of the device')),
  device: async (onClosed) => (await dexie()).openStorage(onClosed),
  memory: async () => ({
    ...(await import('rxdb/plugins/storage-memory')).getRxStorageMemory(),
    // RxDB would keep what is in memory for as long as the page lives.
    collectionStates: new Map(),
  }),
  sweep: async (database, collection) => (await dexie()).sweep(database, collection),
  earlier: async (reader) => (await dexie()).readEarlier(base, reader),
  dropEarlier: async (reader) => (await dexie()).dropEarlier(base, reader),
};
