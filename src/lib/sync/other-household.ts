import type { OtherDatabase } from '#shared/refusal-details';

/** The household that answers instead of the active replica's, with the person's answer. */
export interface OtherHousehold extends OtherDatabase {
  /** False if the replica is replaced without a question, as after a restore with little loss. */
  readonly isAsked: boolean;
  /** `take` replaces the active replica. */
  readonly answer: 'keep' | 'take' | null;
}

/** How much an otherwise unexplained restore may lose without a question: a tenth. */
const MAX_LOSS = 0.1;

/** The size of a replica, and its household. */
export interface ReplicaSize {
  readonly bibliotheque: string;
  readonly documents: number;
  readonly livres: number;
  /** How many records were written after a revision. */
  readonly writtenAfter: (revision: number) => number;
}

/** Whether a person is asked before a replica is replaced by another database. An empty replica loses nothing. */
export function isLoss(replica: ReplicaSize, other: OtherDatabase): boolean {
  if (replica.documents === 0 || other.suite) return false;
  const isOther = replica.bibliotheque !== '' && replica.bibliotheque !== other.bibliotheque;
  const isLess =
    other.livres < replica.livres || other.documents < replica.documents * (1 - MAX_LOSS);
  const { commune } = other;
  return isOther || isLess || (commune !== undefined && replica.writtenAfter(commune) > 0);
}

/** The database named by a refusal. */
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
 * How the answering household relates to the replica's: empty, an earlier state of it, restored by another device, or
 * unrelated. A replica can be restored into all but the last (docs/rules.md § 33).
 */
export type OtherKind = 'empty' | 'earlier' | 'returned' | 'other';

export function kindOfOther(other: OtherDatabase, bibliotheque: string): OtherKind {
  if (other.bibliotheque === bibliotheque) return 'earlier';
  if (other.rendues?.includes(bibliotheque) === true) return 'returned';
  return other.documents === 0 ? 'empty' : 'other';
}

/**
 * Whether an entry stored on this device belongs to the shown household, whose ids it has. An entry without a
 * household is older than household ids.
 */
export const isOfHousehold = (noted: string | undefined, shown: string): boolean =>
  (noted ?? '') === '' || shown === '' || noted === shown;

export const isSameDatabase = (a: OtherDatabase, b: OtherDatabase): boolean =>
  a.bibliotheque === b.bibliotheque && a.epoque === b.epoque;
