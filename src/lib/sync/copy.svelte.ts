import { createSubscriber } from 'svelte/reactivity';
import { collectionNames, type CollectionName } from '#shared/collections';
import { unsafeCast } from '../api/unsafe-cast.ts';

import { onReport, reportedErrors, type ReportedError } from './report.ts';
import { device } from './this-device.ts';
import { views } from './views.svelte.ts';

/** What the browser says of this origin's storage; `null` where it does not say. */
export interface StorageFigures {
  readonly sizeBytes: number | null;
  readonly persistent: boolean | null;
}

const followDevice = createSubscriber((change) => device.subscribe(change));
const followReports = createSubscriber((change) => onReport(change));

const revisionNow = () => (device.status.isComplete ? device.status.revision : null);
/** Told only where it changes: what asks the server reads it, and a request that fails changes the device's status. */
let revision = $state.raw(revisionNow());
device.subscribe(() => (revision = revisionNow()));

/** The copy on this device as the about page shows it; reactive. */
export const copy = {
  /** How many records the copy holds, by kind. */
  get counts(): Readonly<Record<CollectionName, number>> {
    const counts = collectionNames.map((name) => [name, views().count(name)]);
    return unsafeCast<Record<CollectionName, number>>(Object.fromEntries(counts));
  },
  /** The revision of the server's database up to which the copy goes; `null` before the first. */
  get revision(): number | null {
    return revision;
  },
  /** How many records a fresh copy beside this one has received; `null` when none is made. */
  get resyncing(): { readonly received: number } | null {
    followDevice();
    const { rebuilding } = device.status;
    return rebuilding === null ? null : { received: rebuilding };
  },
  /** The latest reported errors, oldest first. */
  get errors(): readonly ReportedError[] {
    followReports();
    return reportedErrors();
  },
  /** Builds a fresh copy beside this one, which stays in use until the new one is whole. */
  resync(): void {
    device.rebuild();
  },
};

/** Asks the browser how much this origin keeps and whether it may be evicted. */
export async function readStorage(): Promise<StorageFigures> {
  if (!('storage' in navigator)) return { sizeBytes: null, persistent: null };
  const { usage } = await navigator.storage.estimate();
  return { sizeBytes: usage ?? null, persistent: await navigator.storage.persisted() };
}
