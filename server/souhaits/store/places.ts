import type { Database } from '#server/database/database';

/** Remembers the missing volume that a wish was made from. */
export function writePlaceOfSouhait(database: Database, souhaitId: number, placeId: number): void {
  database
    .prepare<[number, number]>('UPDATE Souhait SET placeId = ? WHERE id = ?')
    .run(placeId, souhaitId);
}

/** The place that a wish was made from; `null` where there is none. */
export function readPlaceOfSouhait(database: Database, souhaitId: number): number | null {
  return (
    database
      .prepare<[number], { placeId: number | null }>('SELECT placeId FROM Souhait WHERE id = ?')
      .get(souhaitId)?.placeId ?? null
  );
}
