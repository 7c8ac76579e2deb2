import { now } from '$lib/format/dates';
import { ApiError } from '$lib/api/call';
import type { Batch } from '$lib/api/feedback.svelte';
import { NO_DAYS, preter, pretSaisi } from '$lib/records/prets/kind';
import { seriesView } from '$lib/records/series/view.svelte';
import { announcer } from '$lib/ui/announcer.svelte';
import { lastTome, missingNumeros } from '#shared/series-gaps';

/** The series whose « + » was pressed, and the volume that it lacks next. */
export interface NextVolume {
  readonly id: number;
  readonly titre: string;
  readonly numero: string;
}

/** `null` where the address names no series of the house. */
export function nextVolumeOf({ searchParams }: URL): NextVolume | null {
  const serie = seriesView.get(Number(searchParams.get('dans') ?? 0));
  if (serie === undefined) return null;
  const { id, titre } = serie;
  const [missing] = missingNumeros(serie);
  return { id, titre, numero: missing ?? String((lastTome(serie) ?? 0) + 1) };
}

/** Who waits for the book: it is lent once it is recorded; '' for nobody. */
export const borrowerOf = ({ searchParams }: URL): string => searchParams.get('preter') ?? '';

/** Lends a book that was just added. A failure is only announced: the book is there. */
export async function lendAdded(livreId: number, emprunteur: string, batch: Batch): Promise<void> {
  if (emprunteur === '') return;
  try {
    await preter(livreId, pretSaisi(emprunteur, NO_DAYS, now()), { batch });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    announcer.say(error.message);
  }
}
