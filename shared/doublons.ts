/** What tells whether two books are one work. */
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
