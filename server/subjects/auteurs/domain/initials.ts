import { abbreviates, hasInitial, parseNom } from '#shared/nom-form';
import type { Refus } from './refus.ts';

/** An author under the name that the rules compare, with what they compute from it where that is kept. */
export interface NamedAuteur {
  readonly id: number;
  readonly nom: string;
  readonly cle?: string | null;
  readonly signature?: string | null;
}

/** An initials form and every fuller form that it fits, refused ones included. */
interface Abbreviation<A extends NamedAuteur> {
  readonly short: A;
  readonly fuller: readonly A[];
}

/** Finds the initials forms that fit at least one fuller form, without comparing all pairs. */
export function findAbbreviations<A extends NamedAuteur>(auteurs: Iterable<A>): Abbreviation<A>[] {
  const bySignature = Map.groupBy(
    auteurs,
    ({ nom, signature }) => signature ?? parseNom(nom).signature,
  );
  return [...bySignature.values()]
    .filter((group) => group.length > 1)
    .map((group) => group.map((auteur) => ({ auteur, form: parseNom(auteur.nom) })))
    .flatMap((group) =>
      group
        .filter(({ form }) => hasInitial(form))
        .map(({ auteur, form }) => ({
          short: auteur,
          fuller: group
            .filter((other) => abbreviates(form, other.form))
            .map((other) => other.auteur),
        })),
    )
    .filter(({ fuller }) => fuller.length > 0);
}

/**
 * The initials forms that exactly one fuller form fits, a refused one counting as fitting
 * (docs/rules.md § 14). A merge may leave another form with one fit only, so call again after it;
 * the final result does not depend on the order of the authors.
 */
export function findAbsorptions<A extends NamedAuteur>(
  auteurs: Iterable<A>,
  refus: Refus,
): { short: A; long: A }[] {
  const single = findAbbreviations(auteurs).flatMap(({ short, fuller }) => {
    const [long, ...others] = fuller;
    const isSingle = long !== undefined && others.length === 0;
    return isSingle && !refus.has(short.id, long.id) ? [{ short, long }] : [];
  });
  // Two short forms with a refused merge share one full form: merging both into it would merge them.
  const byLong = Map.groupBy(single, ({ long }) => long);
  return single.filter(
    ({ short, long }) => !byLong.get(long)?.some((other) => refus.has(short.id, other.short.id)),
  );
}
