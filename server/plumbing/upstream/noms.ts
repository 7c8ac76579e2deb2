import { cleRegroupement } from '#shared/text';

const SUFFIX = /^(?:jr|sr|i{2,3}|iv|ph\.? ?d|m\.? ?d)\b/iu;
const DATES = /,?\s*\(?(?:\d{4}\s*-\s*(?:\d{4}|\.{4})?|-\s*\d{4})\)?\s*$/u;

/**
 * A name in reading order: « Saint-Exupéry, Antoine de » is « Antoine de Saint-Exupéry »,
 * « Alembert, Jean Le Rond d' » is « Jean Le Rond d’Alembert » without a blank. A name without a
 * comma (a mononym, a body) stays as it is.
 */
export function inReadingOrder(catalogued: string): string {
  const nom = catalogued.replace(DATES, '').trim();
  const [family = '', given = '', ...rest] = nom.split(/\s*,\s*/u);
  if (given === '' || SUFFIX.test(given)) return nom.replace(/\s*,$/u, '');
  const separator = /['’]$/u.test(given) ? '' : ' ';
  return [`${given}${separator}${family}`, ...rest].join(', ');
}

/** The names, each person once by the grouping key, in the first spelling (docs/rules.md § 13). */
export function uniqueNoms(noms: readonly string[]): string[] {
  const byCle = new Map<string, string>();
  for (const nom of noms) {
    const cle = cleRegroupement(nom);
    if (!byCle.has(cle)) byCle.set(cle, nom);
  }
  return [...byCle.values()];
}
