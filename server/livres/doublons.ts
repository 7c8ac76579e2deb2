/** What the duplicate rule looks at; `auteurs` are the numbers of their records. */
export interface Empreinte {
  readonly isbn: string | null;
  readonly cleOeuvre: string;
  readonly auteurs: readonly number[];
}

/**
 * Two books are similar by the same ISBN, or by the same work and an author in common; two without
 * any author have that in common (contract.md « Duplicate »). A title without letter or digit
 * resembles nothing.
 */
export function seRessemblent(a: Empreinte, b: Empreinte): boolean {
  if (a.isbn !== null && a.isbn === b.isbn) return true;
  if (a.cleOeuvre === '' || a.cleOeuvre !== b.cleOeuvre) return false;
  if (a.auteurs.length === 0 || b.auteurs.length === 0)
    return a.auteurs.length === b.auteurs.length;
  return a.auteurs.some((auteur) => b.auteurs.includes(auteur));
}
