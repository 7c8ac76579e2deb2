import { champRefusal } from '#shared/refusals';
import { PlaceSaisie } from '#shared/series';
import { enteredFields, enteredIsbn } from '#server/plumbing/common/entry';
import type { PlaceFields } from '../store/series.ts';

/** A valid place; `id` is `null` for a new one. */
export interface PlaceEntry {
  readonly id: number | null;
  readonly place: PlaceFields;
}

/** What the places of a series are checked against. */
interface Known {
  /** The ids of the series' own places. */
  readonly places: ReadonlySet<number>;
  readonly livreExists: (id: number) => boolean;
}

/**
 * Reads places in reading order. Refuses an id that is no place of this series or is given twice, a
 * book that does not exist, and what is no ISBN (docs/rules.md § 19).
 */
export function readPlaces(saisies: readonly PlaceSaisie[], known: Known): PlaceEntry[] {
  const left = new Set(known.places);
  return saisies.map((saisie, index) => {
    const { id, ...place } = enteredFields(PlaceSaisie, saisie);
    if (id !== null && !left.delete(id))
      throw champRefusal(
        `places.${index}.id`,
        'n’est pas une place de cette série, ou est donnée deux fois',
      );
    requireLivre(known, place.livreId, `places.${index}.livreId`);
    return { id, place: { ...place, isbn: enteredIsbn(place.isbn) } };
  });
}

export function requireLivre(
  { livreExists }: Pick<Known, 'livreExists'>,
  livreId: number | null,
  champ: string,
): void {
  if (livreId !== null && !livreExists(livreId))
    throw champRefusal(champ, 'n’est plus dans la bibliothèque');
}
