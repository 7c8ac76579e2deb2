import type { Database } from '#server/database/database';

/** Remembers the missing volume that a wish was made from. */
export function writePlaceOfSouhait(database: Database, souhaitId: number, placeId: number): void {
  database.run('UPDATE Souhait SET placeId = ? WHERE id = ?', placeId, souhaitId);
}

/** The place that a wish was made from; `null` where there is none. */
export function readPlaceOfSouhait(database: Database, souhaitId: number): number | null {
  return (
    database.value<number | null>('SELECT placeId FROM Souhait WHERE id = ?', souhaitId) ?? null
  );
}
