import { afficherIsbn } from '#shared/isbn';
import type { Souhait } from '#shared/souhaits';

export type LigneSouhait = Omit<Souhait, 'isbnAffiche'>;

/** The columns, besides its id, of a wish `d`: its cover, else the one that its ISBN may have. */
export const COLONNES_SOUHAIT = `d.titre, d.auteur, d.isbn,
  coalesce(d.coverUrl, couverture_de_secours(d.isbn)) AS coverUrl, d.rang, d.dateAjout`;

export const enSouhait = (ligne: LigneSouhait): Souhait => ({
  id: ligne.id,
  titre: ligne.titre,
  auteur: ligne.auteur,
  isbn: ligne.isbn,
  isbnAffiche: ligne.isbn === null ? null : afficherIsbn(ligne.isbn),
  coverUrl: ligne.coverUrl,
  rang: ligne.rang,
  dateAjout: ligne.dateAjout,
});
