import type { Snapshot } from '#server/plumbing/database/snapshot';

/** A volume of a series that a book stands in. */
interface Tome {
  readonly livreId: number;
  /** The title of the series. */
  readonly serie: string;
  readonly numero: string | null;
}

/** The volumes that books stand in. */
export const readTomes = (snapshot: Snapshot, livreIds: readonly number[]): Tome[] =>
  snapshot.all<Tome>(
    `SELECT p.livreId, s.titre AS serie, p.numero FROM Place p JOIN Serie s ON s.id = p.serieId
     WHERE p.livreId IN (SELECT value FROM json_each(@ids)) ORDER BY p.id`,
    { ids: JSON.stringify(livreIds) },
  );
