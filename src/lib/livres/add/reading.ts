import { ApiError } from '$lib/api/call';
import type { Batch } from '$lib/api/feedback.svelte';
import { dayOf, now } from '$lib/format/dates';
import { ajouterLecture } from '$lib/records/lectures/kind';
import { noterStatut } from '$lib/records/livres/kind.svelte';
import { connection } from '$lib/sync/connection.svelte';
import { announcer } from '$lib/ui/announcer.svelte';
import { STATUTS } from '#shared/statuts';
import { choices } from './choices.svelte.ts';

/**
 * Notes what the chip says of one's own reading of a book that was just added; nothing for a book not begun. A failure is
 * only announced: the book is there.
 */
export async function noteReading(
  livreId: number,
  batch: Batch,
  reading = choices().reading,
): Promise<void> {
  const { statut } = choices();
  if (statut === null || connection.isAnonymous) return;
  try {
    if (statut === STATUTS.lu) await ajouterLecture({ ...reading.toSaisie(), livreId }, { batch });
    else await noterStatut(livreId, { statut, jour: dayOf(now()) }, { batch });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    announcer.say(error.message);
  }
}
