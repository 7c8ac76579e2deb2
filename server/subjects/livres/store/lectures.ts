import type { Row } from '#shared/change-reader';
import { lusParMoi, type Lecture, type LusParMoi } from '#shared/lectures';
import type { Reader } from '#server/plumbing/database/reader';
import type { Snapshot } from '#server/plumbing/database/snapshot';

/** What a reader thinks of the books of the house, and when they were last read. */
export const readLus = (database: Reader, utilisateur: string): LusParMoi =>
  lusParMoi(
    database
      .all<Row & Pick<Lecture, 'livreId' | 'note' | 'fin'>>(
        `SELECT livreId, note, fin, abandon FROM Lecture
           WHERE utilisateur = ? AND livreId IS NOT NULL`,
        utilisateur,
      )
      .map((row) => ({ ...row, abandon: row['abandon'] === 1 })),
  );

/** A reading as lists for other programs tell it. */
export interface ExportedLecture extends Pick<
  Lecture,
  'livreId' | 'debut' | 'fin' | 'note' | 'avis'
> {
  readonly abandon: 0 | 1;
}

/** What a caller has read of some books, the earliest end first. */
export const exportedLectures = (
  snapshot: Snapshot,
  utilisateur: string | null,
  livreIds: readonly number[],
): ExportedLecture[] =>
  snapshot.all<ExportedLecture>(
    `SELECT livreId, debut, fin, note, avis, abandon FROM Lecture
       WHERE utilisateur = @utilisateur AND livreId IN (SELECT value FROM json_each(@ids))
       ORDER BY coalesce(fin, debut), id`,
    { utilisateur, ids: JSON.stringify(livreIds) },
  );
