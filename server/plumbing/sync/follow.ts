import { setImmediate } from 'node:timers/promises';
import type { MaybeDeleted } from '#shared/catalogue';
import { collectionNames, type CollectionName } from '#shared/collections';
import type { Database } from '#server/plumbing/database/database';
import type { Records } from '#server/plumbing/records/records';
import { duringSmallHeap } from '#server/plumbing/common/small-heap';
import { changesSince, type OwnedChange } from './changes.ts';
import type { Journal } from '#server/plumbing/records/journal';

/** Who takes the changes of which collection. */
type Receivers = {
  readonly [N in CollectionName]?: (changes: Iterable<OwnedChange<N>>) => void;
};

/**
 * Keeps receivers as the database was at its last commit. They read the journal like a replica does,
 * from the revision that all of them have reached: a commit that one failed to take is given to all
 * again with the next one. What is there at first, and after a long write, comes in slices: others are answered
 * meanwhile.
 *
 * @returns what settles once the receivers have all of the last commit, asked for anew by each reader: between slices
 *   they have a part of it
 */
export function follow(
  records: Records<Database>,
  journal: Journal,
  receivers: Receivers,
): () => Promise<void> {
  const { database } = records;
  let reached = 0;
  const deliver = <N extends CollectionName>(
    collection: N,
    receive: Receivers[N],
    upTo: number,
  ): void => receive?.(changesSince(records, collection, reached, upTo));
  const catchUp = (most = Infinity): void =>
    database.read(() => {
      const upTo = Math.min(reached + most, database.revision());
      for (const collection of collectionNames) deliver(collection, receivers[collection], upTo);
      reached = upTo;
    });
  const takesMore = (): boolean => {
    catchUp(SLICE);
    return reached < database.revision();
  };
  const takeLongWrite = async (): Promise<void> => {
    // Whoever has just waited for the one before reads in this turn of the event loop.
    do await setImmediate();
    while (takesMore());
  };
  let ready = duringSmallHeap(async () => {
    while (takesMore()) await setImmediate();
    journal.subscribe(() => catchUp());
    database.onLongWrite(() => (ready = takeLongWrite()));
  });
  return () => ready;
}

/**
 * How many changes are taken in one turn of the event loop: some 20 ms. Each turn goes through the whole
 * catalogue once, so that short ones cost more in all.
 */
const SLICE = 1000;

/** Documents, or what is left of them, one by one, so that a large catalogue is not in memory twice. */
export function* documents<D extends { readonly id: number; readonly _deleted?: false }>(
  changes: Iterable<{ readonly id: number; readonly document: D | null }>,
): Generator<MaybeDeleted<D>> {
  for (const { id, document } of changes) yield document ?? { id, _deleted: true };
}
