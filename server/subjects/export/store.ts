import { COVER } from '#server/subjects/couvertures/image';
import type { Snapshot } from '#server/plumbing/database/snapshot';

/** The keys of the covers that the records of an export show. */
export function readCovers(snapshot: Snapshot, utilisateur: string | null): Set<string> {
  const rows = snapshot.all<{ cle: string }>(
    `SELECT couverture ->> 'cle' AS cle FROM (
       SELECT ${COVER} AS couverture FROM Couvert d WHERE d.utilisateur IN ('', @utilisateur))
     WHERE couverture IS NOT NULL`,
    { utilisateur },
  );
  return new Set(rows.map(({ cle }) => cle));
}
