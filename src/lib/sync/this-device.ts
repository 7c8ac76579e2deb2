import { link } from '../api/link.ts';
import { base } from '../format/address.ts';
import { openChannel } from './browser/channel.ts';
import { clock } from './browser/clock.ts';
import { notes } from './browser/notes.ts';
import { server } from './browser/server.ts';
import { storage } from './browser/storage.ts';
import { Device } from './device.ts';
import { DeviceNotes } from './device-notes.ts';
import { records } from './records.ts';
import { report } from './report.ts';
import { SnapshotStore } from './snapshot-store.ts';

const loadReplica = () => import('./replica.ts');

/** The device of this page: one copy for each place on a host. */
export const device = new Device(
  { server, storage, notes, clock, channel: openChannel(base) },
  records,
  base,
  loadReplica,
);

/** True where nobody has read on this device yet. */
export const isFirstVisit = (): boolean => new DeviceNotes(notes).lastReader() === null;

/** True where somebody who is known by name has read on this device, and has not signed out. */
export const hasReader = (): boolean =>
  (new DeviceNotes(notes).lastReader()?.utilisateur ?? null) !== null;

/** Loads what brings RxDB along, while the server is asked who reads. */
export function preloadReplica(): void {
  loadReplica().catch((error: unknown) => report(error, 'loading the replica'));
  storage.preload();
}

/** The answers that this page's reader keeps for reading offline. */
export const snapshots = new SnapshotStore();

link.onDoubt(() => device.reSync());
link.fault = report;
