import type { OtherDatabase } from '#shared/refusal-details';

/** What answers in place of the household whose replica is in use, and what a person has said of it. */
export interface OtherHousehold extends OtherDatabase {
  /** False where the replica goes over to it unasked, as after a restoration that has lost little. */
  readonly isAsked: boolean;
  /** `take` has it copied in place of the replica in use. */
  readonly answer: 'keep' | 'take' | null;
}

/** What a restoration of which nothing else is known may have lost without a question: a tenth of all. */
const MAX_LOSS = 0.1;

/** How much a replica holds, and of which household. */
export interface ReplicaSize {
  readonly bibliotheque: string;
  readonly documents: number;
  readonly livres: number;
  /** How many of its records were written after a revision. */
  readonly writtenAfter: (revision: number) => number;
}

/** Whether a person is asked before a replica gives way to another database. A replica that is empty loses nothing. */
export function isLoss(replica: ReplicaSize, other: OtherDatabase): boolean {
  if (replica.documents === 0 || other.suite) return false;
  const isOther = replica.bibliotheque !== '' && replica.bibliotheque !== other.bibliotheque;
  const isLess =
    other.livres < replica.livres || other.documents < replica.documents * (1 - MAX_LOSS);
  const { commune } = other;
  return isOther || isLess || (commune !== undefined && replica.writtenAfter(commune) > 0);
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
 * device has given it back, or any other. To all but the last a replica can be given back (docs/rules.md § 33).
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
