import { rienSiVide } from '#shared/fields';
import { champRefuse } from '#shared/refusals';
import type { PlaceSaisie } from '#shared/series';
import { isbnSaisi } from '#server/saisie';
import type { PlaceEcrite } from './store.ts';

/** A place that keeps the rules; `id` is `null` for a new one. */
export interface PlaceLue {
  readonly id: number | null;
  readonly place: PlaceEcrite;
}

/** What the places of a series are checked against. */
interface Connus {
  /** The places that are the series's own, whose ids may come back. */
  readonly places: ReadonlySet<number>;
  readonly livreExiste: (id: number) => boolean;
}

/**
 * Reads places in reading order. Refuses the id of another series's place, one given twice, a book
 * that there is not, and what is no ISBN.
 */
export function lirePlaces(saisies: readonly PlaceSaisie[], connus: Connus): PlaceLue[] {
  const restent = new Set(connus.places);
  return saisies.map(({ id = null, livreId = null, ...saisie }, index) => {
    if (id !== null && !restent.delete(id))
      throw champRefuse(
        `places.${index}.id`,
        'n’est pas une place de cette série, ou est donnée deux fois',
      );
    if (livreId !== null && !connus.livreExiste(livreId))
      throw champRefuse(`places.${index}.livreId`, 'n’est plus dans la bibliothèque');
    const place = {
      titre: saisie.titre,
      numero: rienSiVide(saisie.numero),
      livreId,
      auteur: rienSiVide(saisie.auteur),
      isbn: isbnSaisi(saisie.isbn),
    };
    return { id, place };
  });
}
