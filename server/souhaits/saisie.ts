import { rienSiVide } from '#shared/fields';
import type { SouhaitSaisi } from '#shared/souhaits';
import { cleTexte, cleTitre } from '#shared/text';
import { coverUrlSaisie, isbnSaisi } from '#server/saisie';

/** What a wish's row says of the book; `coverUrl` is `null` where none was given. */
export interface SouhaitEcrit {
  readonly titre: string;
  readonly cleOeuvre: string;
  readonly auteur: string | null;
  /** '' for « no author », which is one author. */
  readonly auteurNormalise: string;
  readonly isbn: string | null;
  readonly coverUrl: string | null;
}

/** Reads what a person entered, and makes its keys anew; refuses what is no ISBN or no address. */
export function lireSaisie(saisie: SouhaitSaisi): SouhaitEcrit {
  const { titre } = saisie;
  const auteur = rienSiVide(saisie.auteur);
  return {
    titre,
    cleOeuvre: cleTitre(titre),
    auteur,
    auteurNormalise: auteur === null ? '' : cleTexte(auteur),
    isbn: isbnSaisi(saisie.isbn),
    coverUrl: coverUrlSaisie(saisie.coverUrl),
  };
}
