/**
 * The first year that a date names: `2012`, `1919-1945`, `DL 2019`, `[1994]`, `April 22, 2008`,
 * `2022-02-09`. `null` for `[s.d.]` and for a year with unknown digits.
 */
export function anneeDe(date: string): number | null {
  const annee = /(?<!\d)\d{4}(?!\d)/u.exec(date)?.[0];
  return annee === undefined || Number(annee) > 3000 ? null : Number(annee);
}
