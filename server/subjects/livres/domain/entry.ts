import { LivreSaisi, MAX_NOMBRE_PAGES } from '#shared/livres';
import { champRefusal, Refusal } from '#shared/refusals';
import { enteredCoverUrl, enteredFields, enteredIsbn } from '#server/plumbing/common/entry';
import { livreKeys, type LivreFields } from '../store/livres.ts';

/** A valid entry: the columns of the book, and the names on its cover, in order. */
interface LivreEntry {
  readonly livre: LivreFields;
  readonly noms: readonly string[];
}

/** Reads what a person entered of a book; throws the refusal of what breaks a rule (docs/rules.md § 9). */
export function readEntry(saisie: LivreSaisi): LivreEntry {
  const { auteurs, ...fields } = enteredFields(LivreSaisi, saisie);
  const noms = (auteurs ?? []).map((auteur) => (typeof auteur === 'string' ? auteur : auteur.nom));
  return {
    livre: {
      ...fields,
      ...livreKeys(fields),
      isbn: enteredIsbn(fields.isbn),
      typeDocument: fields.typeDocument || 'NonPrecise',
      nombrePages: enteredNombrePages(fields.nombrePages),
      coverUrl: enteredCoverUrl(fields.coverUrl),
    },
    noms: noms.filter((nom) => nom.trim() !== ''),
  };
}

function enteredNombrePages(count: number | null): number | null {
  if (count === null) return null;
  if (!Number.isInteger(count) || count < 1) throw new Refusal('NOMBRE_PAGES_INVALIDE');
  if (count > MAX_NOMBRE_PAGES)
    throw champRefusal('nombrePages', `doit être au plus ${MAX_NOMBRE_PAGES.toLocaleString('fr')}`);
  return count;
}
