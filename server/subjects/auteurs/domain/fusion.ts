import { abbreviates, hasInitial, parseNom } from '#shared/nom-form';
import { mostPresentableNom } from '#shared/presentable-nom';
import type { AuteurRecord } from '../store/auteurs.ts';

/** Two authors that become one. */
interface Fusion {
  /** The remaining author, with its names after the merge. */
  readonly kept: AuteurRecord;
  readonly absorbedId: number;
}

/**
 * Merges two authors: the one whose name a person gave stays, else the one with the most presentable
 * name, the lower id where they are equal. The result is the same in whatever order several are merged
 * (docs/rules.md § 15).
 */
export function fusionner(a: AuteurRecord, b: AuteurRecord): Fusion {
  const [first, second] = a.id < b.id ? [a, b] : [b, a];
  const firstStays =
    hasGivenNom(first) === hasGivenNom(second)
      ? mostPresentableNom([first.nom, second.nom]) === first.nom
      : hasGivenNom(first);
  const [kept, absorbed] = firstStays ? [first, second] : [second, first];
  return {
    kept: { ...kept, ...chooseNoms(kept, nomsOf(absorbed)) },
    absorbedId: absorbed.id,
  };
}

const hasGivenNom = ({ nomChoisi }: AuteurRecord): boolean => nomChoisi === 1;

/** The author once another spelling of its name has come with a book. */
export const withSpelling = (auteur: AuteurRecord, nom: string): AuteurRecord => ({
  ...auteur,
  ...chooseNoms(auteur, [nom]),
});

/** The author under a name that a person chose; an abbreviation keeps the full form behind it. */
export const withNom = (auteur: AuteurRecord, nom: string): AuteurRecord => ({
  id: auteur.id,
  nom,
  fullForm: abbreviates(parseNom(nom), parseNom(fullNom(auteur))) ? fullNom(auteur) : null,
  nomChoisi: 1,
});

/** The fullest name known of an author. */
export const fullNom = ({ nom, fullForm }: AuteurRecord): string => fullForm ?? nom;

const nomsOf = (auteur: AuteurRecord): string[] =>
  auteur.fullForm === null ? [auteur.nom] : [auteur.nom, auteur.fullForm];

/** The names of an author whom others are known by as well. */
function chooseNoms(
  auteur: AuteurRecord,
  others: readonly string[],
): Pick<AuteurRecord, 'nom' | 'fullForm'> {
  const candidates = [...nomsOf(auteur), ...others];
  const nom = hasGivenNom(auteur) ? auteur.nom : (mostPresentableNom(candidates) ?? '');
  const form = parseNom(nom);
  const longer = candidates.filter((candidate) => abbreviates(form, parseNom(candidate)));
  const full = longer.filter((candidate) => !hasInitial(parseNom(candidate)));
  return { nom, fullForm: mostPresentableNom(full.length > 0 ? full : longer) };
}
