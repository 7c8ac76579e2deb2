import { link } from '../api/link.ts';
import { base } from '../format/address.ts';
import { clock } from './browser/clock.ts';
import { notes } from './browser/notes.ts';
import { server } from './browser/server.ts';
import { storage } from './browser/storage.ts';
import { openTabs } from './browser/tabs.ts';
import { DeviceState } from './device-state.ts';
import { Engine } from './engine.ts';
import { records } from './records.ts';
import { SnapshotStore } from './snapshot-store.ts';

/** The engine of this page: one copy for each place on a host. */
export const engine = new Engine(
  { server, storage, notes, clock, tabs: openTabs(base) },
  records,
  base,
);

/** True where nobody has read on this device yet. */
export const isFirstVisit = (): boolean => new DeviceState(notes).lastReader() === null;

/** The answers that this page's reader keeps for reading offline. */
export const snapshots = new SnapshotStore(storage, base);

link.onDoubt(() => engine.dispatch({ type: 'doubt' }));
