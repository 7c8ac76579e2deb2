import { resolve } from '$app/paths';
import { link } from '../api/link.ts';
import { clock } from './browser/clock.ts';
import { notes } from './browser/notes.ts';
import { server } from './browser/server.ts';
import { storage } from './browser/storage.ts';
import { openTabs } from './browser/tabs.ts';
import { Engine } from './engine.ts';
import { records } from './records.ts';
import { SnapshotStore } from './snapshot-store.ts';

/** Where the application lives on its host: one copy for each place. */
export const installation = resolve('/').replace(/\/$/, '');

/** The engine of this page. */
export const engine = new Engine(
  { server, storage, notes, clock, tabs: openTabs(installation) },
  records,
  installation,
);

/** The answers that this page's reader keeps for reading offline. */
export const snapshots = new SnapshotStore(storage, installation);

link.onDoubt(() => engine.dispatch({ type: 'doubt' }));
