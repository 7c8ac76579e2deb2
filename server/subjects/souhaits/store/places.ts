import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** Remembers the missing volume that a wish was made from. */
export function writePlaceOfSouhait(
  database: Transaction,
  souhaitId: number,
  placeId: number,
): void {
  database.run('UPDATE Souhait SET placeId = ? WHERE id = ?', placeId, souhaitId);
}

/** The place that a wish was made from; `null` where there is none. */
export function readPlaceOfSouhait(database: Reader, souhaitId: number): number | null {
  return (
    database.value<number | null>('SELECT placeId FROM Souhait WHERE id = ?', souhaitId) ?? null
  );
}
