import { couvertureDe } from '#shared/couvertures';
import type { Candidat, NomSource } from '#shared/recherche';
import type { Fiche } from '#server/upstream/fiche';

/**
 * A record as a candidate under an ISBN. The cover always comes from Open Library, by the ISBN,
 * and nobody looks whether it is there.
 */
export const candidat = (
  source: NomSource,
  { titre, auteurs, editeur, annee, nombrePages }: Fiche,
  isbn: string | null,
  couvertures: string,
): Candidat => ({
  source,
  titre,
  auteurs: [...auteurs],
  editeur,
  annee,
  nombrePages,
  isbn,
  coverUrl: isbn === null ? null : couvertureDe(couvertures, isbn),
});
