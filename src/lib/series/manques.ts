import type { AuteurCite } from '#shared/auteurs';
import type { Place, Serie } from '#shared/series';
import { cleRegroupement, cleTitre } from '#shared/text';

/** What of a book tells whether it is the volume that is missing. */
interface Venu {
  readonly id: number;
  readonly titre: string;
  readonly isbn: string | null;
  readonly auteurs: readonly Pick<AuteurCite, 'nom'>[];
}

/**
 * The missing volumes that a book may be: those of its ISBN, or of its work and of one of its
 * authors where the place names one. A series that has the book already is left out.
 */
export function placesManquantes(
  livre: Venu,
  series: readonly Serie[],
): { serie: Serie; place: Place }[] {
  const cle = cleTitre(livre.titre);
  const auteurs = new Set(livre.auteurs.map(({ nom }) => cleRegroupement(nom)));
  const estLui = ({ titre, auteur, isbn, livreId }: Place) => {
    if (livreId !== null) return false;
    if (isbn !== null && isbn === livre.isbn) return true;
    return cleTitre(titre) === cle && (auteur === null || auteurs.has(cleRegroupement(auteur)));
  };
  return series.flatMap((serie) => {
    if (serie.places.some(({ livreId }) => livreId === livre.id)) return [];
    const place = serie.places.find(estLui);
    return place ? [{ serie, place }] : [];
  });
}
