import { parseNom } from './nom-form.ts';
import { inForm } from './text.ts';

/**
 * The most presentable of several spellings of one author, given by ascending id. Criteria in order: mixed case
 * before a word in capitals before one case; accents; full names before initials; no comma; the first (docs/rules.md
 * § 16). `null` for an empty list.
 */
export function mostPresentableNom(candidates: readonly string[]): string | null {
  let best: string | undefined;
  for (const nom of candidates) {
    if (best === undefined || score(nom) > score(best)) best = nom;
  }
  return best ?? null;
}

/** The criteria as bits of a number, the most important one first. */
function score(nom: string): number {
  const hasMixedCase = nom !== nom.toUpperCase() && nom !== nom.toLowerCase();
  const hasAccents = /\p{M}/u.test(inForm('NFD', nom));
  return (
    (hasMixedCase ? 8 : 0) +
    (hasMixedCase && !hasWordInCapitals(nom) ? 16 : 0) +
    (hasAccents ? 4 : 0) +
    // Wherever the initial is: « Dick Philip K. » is no fuller than « Philip K. Dick ».
    (parseNom(nom).words.some(({ isInitial }) => isInitial) ? 0 : 2) +
    (nom.includes(',') ? 0 : 1)
  );
}

const WORD = /[\p{L}\p{M}]+/gu;
const ROMAN_NUMBER = /^M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})$/;
/** « JMG », before the family name. */
const MAX_INITIALS = 3;

/** « DURAS » in « Marguerite DURAS »: at least two letters, neither initials nor a Roman number. */
function hasWordInCapitals(nom: string): boolean {
  const words = nom.match(WORD) ?? [];
  const comma = nom.indexOf(',');
  const family = comma === -1 ? words.slice(-1) : (nom.slice(0, comma).match(WORD) ?? []);
  return words.some(
    (word) =>
      Array.from(word).length > (family.includes(word) ? 1 : MAX_INITIALS) &&
      word === word.toUpperCase() &&
      word !== word.toLowerCase() &&
      !ROMAN_NUMBER.test(word),
  );
}
