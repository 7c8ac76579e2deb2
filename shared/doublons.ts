import { searchForm } from './text.ts';

/** The data for deciding whether two books are one work. */
export interface Fingerprint {
  readonly isbn: string | null;
  readonly cleOeuvre: string;
  readonly auteurs: readonly number[];
}

/**
 * Whether two books are similar: the same ISBN, or the same work with a common author or no author at all
 * (docs/rules.md § 10). A title without letter or digit resembles nothing.
 */
export function areSimilar(a: Fingerprint, b: Fingerprint): boolean {
  if (a.isbn !== null && a.isbn === b.isbn) return true;
  if (a.cleOeuvre === '' || a.cleOeuvre !== b.cleOeuvre) return false;
  if (a.auteurs.length === 0 && b.auteurs.length === 0) return true;
  return a.auteurs.some((auteur) => b.auteurs.includes(auteur));
}

/** The data for deciding whether two books are copies of one edition. */
export interface EditionPrint extends Fingerprint {
  readonly editeur: string | null;
  readonly annee: number | null;
}

/**
 * Whether two books are copies of one edition: the same ISBN if both have one, else similar, without different
 * publishers or years (docs/rules.md § 58).
 */
export function isSameEdition(a: EditionPrint, b: EditionPrint): boolean {
  if (a.isbn !== null && b.isbn !== null) return a.isbn === b.isbn;
  return areSimilar(a, b) && agree(a.editeur, b.editeur) && agree(a.annee, b.annee);
}

function agree(one: string | number | null, other: string | number | null): boolean {
  if (one === null || other === null) return true;
  return searchForm(String(one)) === searchForm(String(other));
}
