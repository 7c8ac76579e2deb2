import { hasInitial, parseNom } from './nom-form.ts';
import { inForm } from './text.ts';

/**
 * The most presentable of several spellings of one author, given by ascending id: mixed case
 * before one case, accents before none, the full name before initials, no comma before a comma,
 * then the first (docs/rules.md § 16). `null` for an empty list.
 */
export function mostPresentableNom(candidates: readonly string[]): string | null {
  let best: string | undefined;
  for (const nom of candidates) {
    if (best === undefined || score(nom) > score(best)) best = nom;
  }
  return best ?? null;
}

/** The criteria as the bits of a number, the first one the heaviest. */
function score(nom: string): number {
  const hasMixedCase = nom !== nom.toUpperCase() && nom !== nom.toLowerCase();
  const hasAccents = /\p{M}/u.test(inForm('NFD', nom));
  return (
    (hasMixedCase ? 8 : 0) +
    (hasAccents ? 4 : 0) +
    (hasInitial(parseNom(nom)) ? 0 : 2) +
    (nom.includes(',') ? 0 : 1)
  );
}
