import type { StoragePort } from '../ports.ts';
import { report } from '../report.ts';

/**
 * Loaded when it is first asked for, and asked for again where that fails: where site data is
 * blocked, Dexie throws as soon as it is loaded, and the application must live on.
 */
const indexedDbStorage = () => import('../dexie-storage.ts');

/** Loads it while it is still being asked who reads. */
export function loadStorage(): void {
  indexedDbStorage().catch((error: unknown) => report(error, 'loading the storage'));
}

/** Databases in IndexedDB, and in memory where there is none. */
export const storage: StoragePort = {
  open: async (name, onLost) => (await indexedDbStorage()).openInIndexedDb(name, onLost),
  openInMemory: async (name) => (await import('../memory-storage.ts')).openInMemory(name),
  drop: async (name) => (await indexedDbStorage()).dropFromIndexedDb(name),
  names: async () => (await indexedDbStorage()).namesInIndexedDb(),
  openEarlier: async (reader) => (await import('../earlier-storage.ts')).openEarlier(reader),
  dropEarlier: async (reader) => (await import('../earlier-storage.ts')).dropEarlier(reader),
};
