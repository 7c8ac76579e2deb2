import type { OtherDatabase } from '#shared/refusal-details';

/** What answers in place of the household whose copy is in use, and what a person has said of it. */
export interface OtherHousehold extends OtherDatabase {
  /** False where the copy goes over to it unasked, as after a restoration that has lost little. */
  readonly isAsked: boolean;
  /** `take` has it copied in place of the copy in use. */
  readonly answer: 'keep' | 'take' | null;
}

/** What a restoration of which nothing else is known may have lost without a question: a tenth of all. */
const MAX_LOSS = 0.1;

/** How much a copy holds, and of which household. */
export interface CopySize {
  readonly bibliotheque: string;
  readonly documents: number;
  readonly livres: number;
  /** How many of its records were written after a revision. */
  readonly writtenAfter: (revision: number) => number;
}

/** Whether a person is asked before a copy gives way to another database. A copy that is empty loses nothing. */
export function isLoss(copy: CopySize, other: OtherDatabase): boolean {
  if (copy.documents === 0 || other.suite) return false;
  const isOther = copy.bibliotheque !== '' && copy.bibliotheque !== other.bibliotheque;
  const isLess = other.livres < copy.livres || other.documents < copy.documents * (1 - MAX_LOSS);
  const { commune } = other;
  return isOther || isLess || (commune !== undefined && copy.writtenAfter(commune) > 0);
}

/** What a refusal says of a database, without what it says besides. */
export const databaseOf = ({
  bibliotheque,
  epoque,
  suite,
  documents,
  livres,
  creee = '',
  rendues = [],
}: OtherDatabase): OtherDatabase => ({
  bibliotheque,
  epoque,
  suite,
  documents,
  livres,
  creee,
  rendues,
});

/**
 * What answers in place of a household: an empty one, an earlier state of the household itself, one to which another
 * device has given it back, or any other. To all but the last a copy can be given back (docs/rules.md § 33).
 */
export type OtherKind = 'empty' | 'earlier' | 'returned' | 'other';

export function kindOfOther(other: OtherDatabase, bibliotheque: string): OtherKind {
  if (other.bibliotheque === bibliotheque) return 'earlier';
  if (other.rendues?.includes(bibliotheque) === true) return 'returned';
  return other.documents === 0 ? 'empty' : 'other';
}

/**
 * Whether what a person has left on this device is of the household on the screen, whose ids alone it means. What names
 * none is from before households were told apart.
 */
export const isOfHousehold = (noted: string | undefined, shown: string): boolean =>
  (noted ?? '') === '' || shown === '' || noted === shown;

export const isSameDatabase = (a: OtherDatabase, b: OtherDatabase): boolean =>
  a.bibliotheque === b.bibliotheque && a.epoque === b.epoque;
