import { views } from '$lib/sync/views.svelte';
import type { CollectionName } from '#shared/collections';
import { Conflict, type ComparableEntry } from '../conflict/conflict.svelte.ts';

/**
 * The conflict of a form that edits a record of a replica: it sees what the device learns of the
 * record. Call while a component is set up.
 *
 * @param opened the record as the form was opened on it
 * @param read the record as the device knows it by now, `undefined` for a deleted one
 */
export function trackRecord<R extends { readonly id: number }>(
  collection: CollectionName,
  entry: ComparableEntry<R>,
  opened: R,
  read: () => R | undefined,
): Conflict<R> {
  const revision = () => views().revisionOf(collection, opened.id);
  const conflict = new Conflict(entry, opened, revision());
  $effect(() => {
    // A copy that is being opened holds nothing: that is no deletion.
    if (views().isReady) conflict.see(read(), revision());
  });
  return conflict;
}
