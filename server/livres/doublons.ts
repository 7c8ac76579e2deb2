/** What the duplicate rule looks at; `cles` are the grouping keys of the authors. */
export interface Empreinte {
  readonly isbn: string | null;
  readonly cleOeuvre: string;
  readonly cles: readonly string[];
}

/**
 * Two books are similar by the same ISBN, or by the same work and an author in common; two without
 * any author have that in common (contract.md « Duplicate »). A title without letter or digit
 * resembles nothing.
 */
export function seRessemblent(a: Empreinte, b: Empreinte): boolean {
  if (a.isbn !== null && a.isbn === b.isbn) return true;
  if (a.cleOeuvre === '' || a.cleOeuvre !== b.cleOeuvre) return false;
  if (a.cles.length === 0 || b.cles.length === 0) return a.cles.length === b.cles.length;
  return a.cles.some((cle) => b.cles.includes(cle));
}
