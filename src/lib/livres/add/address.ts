import { seriesView } from '$lib/records/series/view.svelte';
import { lastTome, missingNumeros } from '#shared/series-gaps';

// Parameters of the address of « Ajouter » besides the book.

/** The series whose « + » was pressed, and its next missing volume. */
export interface NextVolume {
  readonly id: number;
  readonly titre: string;
  readonly numero: string;
}

/** Returns `null` if the address names no existing series. */
export function nextVolumeOf({ searchParams }: URL): NextVolume | null {
  const serie = seriesView.get(Number(searchParams.get('dans') ?? 0));
  if (serie === undefined) return null;
  const { id, titre } = serie;
  const [missing] = missingNumeros(serie);
  return { id, titre, numero: missing ?? String((lastTome(serie) ?? 0) + 1) };
}

/** The borrower to whom the book is lent after the addition; '' for nobody. */
export const borrowerOf = ({ searchParams }: URL): string => searchParams.get('preter') ?? '';
