import { rienSiVide } from '#shared/fields';
import { NOMBRE_PAGES_MAXIMUM, type LivreDocument, type LivreSaisi } from '#shared/livres';
import { champRefuse, Refusal } from '#shared/refusals';
import { cleOeuvre, normaliser } from '#shared/text';
import { coverUrlSaisie, isbnSaisi } from '#server/saisie';

/** What a book's row says of the book itself: what a person entered, and what is made from it. */
export type LivreEcrit = Pick<
  LivreDocument,
  | 'titre'
  | 'titreNormalise'
  | 'isbn'
  | 'format'
  | 'typeDocument'
  | 'nombrePages'
  | 'coverUrl'
  | 'editeur'
  | 'annee'
> & { readonly cleOeuvre: string };

/** An entry that keeps the rules, and the names on its cover, in order. */
export interface Saisie {
  readonly livre: LivreEcrit;
  readonly noms: readonly string[];
}

/**
 * Reads what a person entered. What is left out is « nothing »; what keeps no rule is refused
 * (contract.md, LivreSaisi).
 */
export function lireSaisie(saisie: LivreSaisi): Saisie {
  const { titre, format } = saisie;
  const livre: LivreEcrit = {
    titre,
    titreNormalise: normaliser(titre),
    cleOeuvre: cleOeuvre(titre),
    isbn: isbnSaisi(saisie.isbn),
    format,
    typeDocument: saisie.typeDocument || 'NonPrecise',
    nombrePages: nombrePagesSaisi(saisie.nombrePages ?? null),
    coverUrl: coverUrlSaisie(saisie.coverUrl),
    editeur: rienSiVide(saisie.editeur),
    annee: saisie.annee ?? null,
  };
  const noms = (saisie.auteurs ?? []).map((auteur) =>
    typeof auteur === 'string' ? auteur : auteur.nom,
  );
  return { livre, noms: noms.filter((nom) => nom.trim() !== '') };
}

function nombrePagesSaisi(nombre: number | null): number | null {
  if (nombre === null) return null;
  if (!Number.isInteger(nombre) || nombre < 1) throw new Refusal('NOMBRE_PAGES_INVALIDE');
  if (nombre > NOMBRE_PAGES_MAXIMUM)
    throw champRefuse(
      'nombrePages',
      `doit être au plus ${NOMBRE_PAGES_MAXIMUM.toLocaleString('fr')}`,
    );
  return nombre;
}
