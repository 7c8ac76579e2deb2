import { createSubscriber } from 'svelte/reactivity';
import { snapshots } from './this-device.ts';
import type { Snapshot, Snapshots } from './snapshot-store.ts';

export type { Snapshot } from './snapshot-store.ts';

const follow = createSubscriber((change) => snapshots.subscribe(change));

/** The last answer that this device keeps under a key, with its date; reactive. */
export function snapshot<K extends keyof Snapshots>(key: K): Snapshot<Snapshots[K]> | null {
  follow();
  return snapshots.get(key);
}

/** True once the kept answers of this reader have been read, or cannot be; reactive. */
export function snapshotsAreRead(): boolean {
  follow();
  return snapshots.isRead;
}

/** Keeps an answer of the server under a key, for reading offline. */
export const keepSnapshot = <K extends keyof Snapshots>(
  key: K,
  value: Snapshots[K],
): Promise<void> => snapshots.keep(key, value);
