import type { Snapshot } from '#server/database/snapshot';

/** The volumes of series that books stand in: their series' title and their number. */
export function readTomes(
  snapshot: Snapshot,
  livreIds: readonly number[],
): { livreId: number; serie: string; numero: string | null }[] {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the columns are those of the type
  return snapshot.all(
    `SELECT p.livreId, s.titre AS serie, p.numero FROM Place p JOIN Serie s ON s.id = p.serieId
     WHERE p.livreId IN (SELECT value FROM json_each(@ids)) ORDER BY p.id`,
    { ids: JSON.stringify(livreIds) },
  ) as { livreId: number; serie: string; numero: string | null }[];
}
