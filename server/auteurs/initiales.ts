import { abrege, aInitiale, lireForme, signature, type Forme } from '#shared/nom-forme';
import type { Refus } from './refus.ts';

/** An author as the rules of merging see it. */
export interface AuteurNomme {
  readonly id: number;
  readonly nom: string;
}

/** An initials form and every form that it may stand for, refused ones included. */
export interface Abreviation<A extends AuteurNomme = AuteurNomme> {
  readonly courte: A;
  readonly longues: readonly A[];
}

/** Finds the initials forms that fit at least one fuller form, without comparing all pairs. */
export function abreviations<A extends AuteurNomme>(auteurs: Iterable<A>): Abreviation<A>[] {
  const parSignature = new Map<string, { auteur: A; forme: Forme }[]>();
  for (const auteur of auteurs) {
    const forme = lireForme(auteur.nom);
    const cle = signature(forme);
    const semblables = parSignature.get(cle);
    if (semblables) semblables.push({ auteur, forme });
    else parSignature.set(cle, [{ auteur, forme }]);
  }
  return [...parSignature.values()]
    .filter((semblables) => semblables.length > 1)
    .flatMap((semblables) =>
      semblables
        .filter(({ forme }) => aInitiale(forme))
        .map(({ auteur, forme }) => ({
          courte: auteur,
          longues: semblables
            .filter((autre) => abrege(forme, autre.forme))
            .map((autre) => autre.auteur),
        })),
    )
    .filter(({ longues }) => longues.length > 0);
}

/**
 * The initials forms that go into a fuller one by themselves: those that exactly one fuller form
 * fits, a refused one counting as fitting (contract.md « Initials rule »). A merge may leave
 * another form with one fit only, so this is to be asked again after it; what comes of that does
 * not depend on the order of the authors.
 */
export function absorptions<A extends AuteurNomme>(
  auteurs: Iterable<A>,
  refus: Refus,
): { courte: A; longue: A }[] {
  const seules = abreviations(auteurs).flatMap(({ courte, longues }) => {
    const [longue, ...autres] = longues;
    const seule = longue !== undefined && autres.length === 0;
    return seule && !refus.a(courte.id, longue.id) ? [{ courte, longue }] : [];
  });
  // Two forms refused to each other never meet in a third: neither goes by itself.
  const pretendants = Map.groupBy(seules, ({ longue }) => longue);
  return seules.filter(
    ({ courte, longue }) =>
      !pretendants.get(longue)?.some((autre) => refus.a(courte.id, autre.courte.id)),
  );
}
