import { connection } from '$lib/sync/connection.svelte';
import { views } from '$lib/sync/views.svelte';
import type { CollectionName } from '#shared/collections';
import { lastActOn, newestId } from './last-act.ts';

/** Who has changed a record while a form on it is open. */
export interface Writer {
  /** As the sign-on names that person; `null` where that is the reader, in another tab or on another device. */
  readonly nom: string | null;
}

/**
 * Watches who changes a record from now on, by the acts that this device has; reactive.
 *
 * @returns gives the last one; `undefined` while nobody is known
 */
export function watchWriter(collection: CollectionName, id: number): () => Writer | undefined {
  const opened = newestId(views().modifications);
  return () => {
    const last = lastActOn(views().modifications, { collection, id }, opened);
    if (last === undefined) return undefined;
    const isOwn = last.utilisateur === connection.moi?.utilisateur;
    return { nom: isOwn ? null : last.utilisateur };
  };
}
