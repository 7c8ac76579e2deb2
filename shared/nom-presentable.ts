import { aInitiale, lireForme } from './nom-forme.ts';

/**
 * The most presentable of several spellings of one author, given from the lowest id to the
 * highest: mixed case before all upper or all lower case, accents before none, the full name
 * before initials, no comma before a comma, then the first (contract.md « Most presentable name »).
 * `null` when there is none to choose from.
 */
export function nomLePlusPresentable(candidats: readonly string[]): string | null {
  let meilleur: string | undefined;
  for (const nom of candidats) {
    if (meilleur === undefined || valeur(nom) > valeur(meilleur)) meilleur = nom;
  }
  return meilleur ?? null;
}

/** The criteria as the bits of a number, the first one the heaviest. */
function valeur(nom: string): number {
  const casseMixte = nom !== nom.toUpperCase() && nom !== nom.toLowerCase();
  const accents = /\p{M}/u.test(nom.normalize('NFD'));
  return (
    (casseMixte ? 8 : 0) +
    (accents ? 4 : 0) +
    (aInitiale(lireForme(nom)) ? 0 : 2) +
    (nom.includes(',') ? 0 : 1)
  );
}
