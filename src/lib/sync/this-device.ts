import { link } from '../api/link.ts';
import { base } from '../format/address.ts';
import { clock, forgetNotes, locks, notes, openChannel, server } from './browser.ts';
import { Device } from './device.ts';
import { databasePrefix, type StoragePort } from './ports.ts';
import { records } from './records.ts';
import { report } from './report.ts';
import { openStored } from './stored.ts';
import { ThumbnailStore } from './thumbnails/store.ts';

const loadLibrary = () => import('./library.ts');

/**
 * Loaded at the first use, and again where that failed. Where site data is blocked Dexie throws when it
 * is loaded, and the application must go on without it.
 */
const loadStorage = () => import('./storage.ts');

const storage: StoragePort = {
  device: async (onClosed) => (await loadStorage()).openStorage(onClosed),
  memory: async () => ({
    ...(await import('rxdb/plugins/storage-memory')).getRxStorageMemory(),
    // RxDB would keep what is in memory for as long as the page lives.
    collectionStates: new Map(),
  }),
  stored: openStored,
  drop: async (prefix, except) => (await loadStorage()).drop(prefix, except),
  earlier: async (reader) => (await loadStorage()).readEarlier(base, reader),
  dropEarlier: async (reader) => (await loadStorage()).dropEarlier(base, reader),
  async forget(reader) {
    forgetNotes(reader);
    const isGone = await (await loadStorage()).drop(databasePrefix(base, reader), []);
    if (reader === null) return isGone;
    const thumbnails = new ThumbnailStore(base);
    await thumbnails.remove({ reader }, (await thumbnails.keys(reader)).own);
    await thumbnails.close();
    return isGone;
  },
};

/** The device of this page: one copy for each place on a host. */
export const device = new Device(
  { server, storage, notes, clock, channel: openChannel(), locks },
  records,
  base,
  loadLibrary,
);

/** True where somebody who is known by name has read on this device, and has not signed out. */
export const hasReader = (): boolean => (device.lastReader?.utilisateur ?? null) !== null;

/** Loads what brings RxDB along, while the server is asked who reads. */
export function preloadLibrary(): void {
  loadLibrary().catch((error: unknown) => report(error, 'loading the library'));
  loadStorage().catch((error: unknown) => report(error, 'loading the storage of the device'));
}

link.failed = () => device.reSync();
link.fault = report;
link.reader = () => device.status.reader;
link.reach = (revision) => device.reach(revision);
link.catchUp = () => device.catchUp();
