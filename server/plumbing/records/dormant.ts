import type { Row } from '#shared/change-reader';
import { parseStored } from '#server/plumbing/common/stored-json';
import { insertRow } from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

// Triggers of migrations/ archive a row of a lookup table (an author, a theme) in `Dormant`, under its id, when the last
// row that references it is deleted.

/** Restores an archived row; false without one. Violates a constraint if another row has its name. */
export const restoreArchived = (database: Transaction, table: string, id: number): boolean =>
  restoreArchivedRow(database, table, archivedById(database, table, id)) !== undefined;

export const restoreArchivedByKey = (
  database: Transaction,
  table: string,
  cle: string,
): number | undefined => restoreArchivedRow(database, table, archivedByKey(database, table, cle));

const restoreArchivedRow = (
  database: Transaction,
  table: string,
  row: Row | undefined,
): number | undefined => row && insertRow(database, table, row);

export const archivedById = (database: Reader, table: string, id: number): Row | undefined =>
  rowIn(database.value<string>('SELECT image FROM Dormant WHERE kind = ? AND id = ?', table, id));

/** The last archived row with a key. Rarely more than one, so that sorting in JavaScript is cheaper than in SQL. */
export const archivedByKey = (database: Reader, table: string, cle: string): Row | undefined =>
  rowIn(
    database
      .all<{ id: number; image: string; since: string }>(
        'SELECT id, image, depuis AS since FROM Dormant WHERE kind = ? AND cle = ?',
        table,
        cle,
      )
      .sort((a, b) => (a.since === b.since ? b.id - a.id : a.since < b.since ? 1 : -1))[0]?.image,
  );

const rowIn = (image: string | undefined): Row | undefined =>
  image === undefined ? undefined : parseStored<Row>(image);

export function rewriteArchived(
  database: Transaction,
  { table, id, cle }: { readonly table: string; readonly id: number; readonly cle: string },
  image: Row,
): void {
  database.run(
    'UPDATE Dormant SET image = ?, cle = ? WHERE kind = ? AND id = ?',
    JSON.stringify(image),
    cle,
    table,
    id,
  );
}

/** Stores again how the readings of a deleted book describe it, unless the book exists. */
export function noteGoneLivre(database: Transaction, noted: Row): void {
  if (database.value('SELECT 1 FROM Livre WHERE id = @id', noted) !== undefined) return;
  database.run(
    `INSERT OR REPLACE INTO Dormant (kind, id, cle, image, depuis)
       VALUES (@kind, @id, @cle, @image, @depuis)`,
    noted,
  );
}

/** How many rows one batch purges. */
const FORGOTTEN_A_TURN = 500;

/**
 * Purges a batch of rows archived before a date that no stored modification and no reading references; true if more
 * may be left.
 */
export const purgeArchived = (database: Transaction, before: string): boolean =>
  database.run(
    `DELETE FROM Dormant WHERE (kind, id) IN (
       SELECT kind, id FROM Dormant WHERE depuis < min(@before, coalesce((SELECT min(date) FROM Modification), @before))
         AND NOT (kind = 'Livre' AND id IN (SELECT livreId FROM Lecture)) LIMIT @most)`,
    { before, most: FORGOTTEN_A_TURN },
  ).changes === FORGOTTEN_A_TURN;
