import { base } from '../../format/address.ts';
import type { StoragePort } from '../ports.ts';
import { report } from '../report.ts';

/**
 * Loaded at the first use, and again where that failed. Where site data is blocked Dexie throws when it
 * is loaded, and the application must go on without it.
 */
const indexedDbStorage = () => import('../dexie-storage.ts');

/** Preloads it while the server is asked who reads. */
export function loadStorage(): void {
  indexedDbStorage().catch((error: unknown) => report(error, 'loading the storage'));
}

/** Databases in IndexedDB or in memory. The first version lived at the root: its copies are nobody else's. */
export const storage: StoragePort = {
  open: async (name, onLost) => (await indexedDbStorage()).openInIndexedDb(name, onLost),
  openInMemory: async (name) => (await import('../memory-storage.ts')).openInMemory(name),
  drop: async (name) => (await indexedDbStorage()).dropFromIndexedDb(name),
  names: async () => (await indexedDbStorage()).namesInIndexedDb(),
  openEarlier: async (reader) =>
    base === '' ? (await indexedDbStorage()).openEarlier(reader) : null,
  dropEarlier: async (reader) => {
    if (base === '') await (await indexedDbStorage()).dropEarlier(reader);
  },
};
