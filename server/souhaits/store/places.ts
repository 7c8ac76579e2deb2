import type { Place } from '#shared/series';
import type { Database } from '#server/database/database';

/** Remembers the missing volume that a wish was made from. */
export function writePlaceOfSouhait(database: Database, souhaitId: number, placeId: number): void {
  database
    .prepare<[number, number]>('UPDATE Souhait SET placeId = ? WHERE id = ?')
    .run(placeId, souhaitId);
}

/** The place that a wish was made from, while it is missing; `null` where there is none. */
export function missingPlaceOfSouhait(database: Database, souhaitId: number): number | null {
  return (
    database
      .prepare<[number], { id: number }>(
        `SELECT p.id FROM Souhait s JOIN Place p ON p.id = s.placeId
         WHERE s.id = ? AND p.livreId IS NULL`,
      )
      .get(souhaitId)?.id ?? null
  );
}

/** Every missing volume. */
export function missingPlaces(
  database: Database,
): Pick<Place, 'id' | 'titre' | 'auteur' | 'isbn' | 'livreId'>[] {
  return database
    .prepare<[], Pick<Place, 'id' | 'titre' | 'auteur' | 'isbn' | 'livreId'>>(
      'SELECT id, titre, auteur, isbn, livreId FROM Place WHERE livreId IS NULL ORDER BY id',
    )
    .all();
}

/** Puts a book in a missing volume's place. */
export function fillPlace(database: Database, placeId: number, livreId: number): void {
  database
    .prepare<[number, number]>('UPDATE Place SET livreId = ? WHERE id = ? AND livreId IS NULL')
    .run(livreId, placeId);
}
