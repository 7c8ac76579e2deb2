import { coverExpression } from '#server/database/columns';
import type { Snapshot } from '#server/database/snapshot';

/** SQL of the kept cover of a book or a wish. */
const couverture = coverExpression("coalesce(d.coverUrl, 'isbn:' || d.isbn)");

/** The keys of the covers that the records of an export show. */
export function readCovers(snapshot: Snapshot, utilisateur: string | null): Set<string> {
  const rows = snapshot.all<{ cle: string }>(
    `SELECT couverture ->> 'cle' AS cle FROM (
       SELECT ${couverture} AS couverture FROM Livre d
       UNION ALL SELECT ${coverExpression('d.coverUrl')} FROM Numero d
       UNION ALL SELECT ${couverture} FROM Souhait d WHERE d.utilisateur = @utilisateur)
     WHERE couverture IS NOT NULL`,
    { utilisateur },
  );
  return new Set(rows.map(({ cle }) => cle));
}
