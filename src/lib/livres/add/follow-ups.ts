import { ApiError } from '$lib/api/call';
import type { Batch } from '$lib/api/feedback.svelte';
import { dayOf, now } from '$lib/format/dates';
import { ajouterLecture } from '$lib/records/lectures/kind';
import { noterStatut } from '$lib/records/livres/kind.svelte';
import { NO_DAYS, preter, pretSaisi } from '$lib/records/prets/kind';
import { connection } from '$lib/sync/connection.svelte';
import { announcer } from '$lib/ui/announcer.svelte';
import { STATUTS } from '#shared/statuts';
import { choices } from './choices.svelte.ts';

// Follow-up writes after an addition. A failure is only announced, since the book exists.

/** Records the reading status of the chip; nothing for a book not begun. */
export async function noteReading(
  livreId: number,
  batch: Batch,
  reading = choices().reading,
): Promise<void> {
  const { statut } = choices();
  if (statut === null || connection.isAnonymous) return;
  await announceFailure(
    statut === STATUTS.lu
      ? ajouterLecture({ ...reading.toSaisie(), livreId }, { batch })
      : noterStatut(livreId, { statut, jour: dayOf(now()) }, { batch }),
  );
}

/** Lends the book; to nobody where the name is ''. */
export async function lendAdded(livreId: number, emprunteur: string, batch: Batch): Promise<void> {
  if (emprunteur === '') return;
  await announceFailure(preter(livreId, pretSaisi(emprunteur, NO_DAYS, now()), { batch }));
}

async function announceFailure(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    announcer.say(error.message);
  }
}
