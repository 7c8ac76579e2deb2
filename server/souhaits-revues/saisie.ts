import { rienSiVide } from '#shared/fields';
import type { RevueSouhaiteeSaisie } from '#shared/souhaits-revues';
import { cleTexte, cleTitre } from '#shared/text';
import { issnSaisi } from '#server/saisie';

/** What the row of a wished periodical says of it. */
export interface RevueSouhaiteeEcrite {
  readonly titre: string;
  readonly cleOeuvre: string;
  readonly numero: string | null;
  /** '' for « no number », which is one number. */
  readonly numeroNormalise: string;
  readonly issn: string | null;
}

/** Reads what a person entered, and makes its keys anew; refuses what is no ISSN. */
export function lireSaisie(saisie: RevueSouhaiteeSaisie): RevueSouhaiteeEcrite {
  const { titre } = saisie;
  const numero = rienSiVide(saisie.numero);
  return {
    titre,
    cleOeuvre: cleTitre(titre),
    numero,
    numeroNormalise: numero === null ? '' : cleTexte(numero),
    issn: issnSaisi(saisie.issn),
  };
}
