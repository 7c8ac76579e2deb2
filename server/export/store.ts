import { coverExpression } from '#server/database/columns';
import type { Snapshot } from '#server/database/snapshot';
import type { ExportedFile } from '#server/records/kind';

/** Records read at a time. */
const PAGE = 500;

/** Whose rows are exported: everyone's, or the caller's own of a personal kind. */
const ownOnly = ({ owner }: Pick<ExportedFile, 'owner'>): string =>
  owner === undefined ? 'TRUE' : `d.${owner} = @utilisateur`;

/** How many records a file has for a reader; `null` is nobody. */
export function countRecords(
  snapshot: Snapshot,
  file: ExportedFile,
  utilisateur: string | null,
): number {
  const [row] = snapshot.all(
    `SELECT count(*) AS count FROM ${file.source.table} d WHERE ${ownOnly(file)}`,
    { utilisateur },
  );
  return Number(Reflect.get(Object(row), 'count'));
}

/** The records of a file in pages, by id; those without an id at once. */
export function* readRecords<D extends object>(
  snapshot: Snapshot,
  { source, owner, isWhole }: ExportedFile<D>,
  utilisateur: string | null,
): Generator<D[]> {
  const select = `${source.select} WHERE ${ownOnly({ owner })}`;
  if (isWhole) {
    yield snapshot.all(`${select} ORDER BY 1, 2`, { utilisateur }).map(source.toDocument);
    return;
  }
  const sql = `${select} AND d.id > @after ORDER BY d.id LIMIT ${PAGE}`;
  let after = 0;
  for (;;) {
    const rows = snapshot.all(sql, { after, utilisateur });
    if (rows.length > 0) yield rows.map(source.toDocument);
    if (rows.length < PAGE) return;
    after = Number(Reflect.get(Object(rows.at(-1)), 'id'));
  }
}

/** SQL of the kept cover of a book or a wish. */
const couverture = coverExpression("coalesce(d.coverUrl, 'isbn:' || d.isbn)");

/** The keys of the covers that the records of an export show. */
export function readCovers(snapshot: Snapshot, utilisateur: string | null): Set<string> {
  const rows = snapshot.all(
    `SELECT couverture ->> 'cle' AS cle FROM (
       SELECT ${couverture} AS couverture FROM Livre d
       UNION ALL SELECT ${coverExpression('d.coverUrl')} FROM Numero d
       UNION ALL SELECT ${couverture} FROM Souhait d WHERE d.utilisateur = @utilisateur)
     WHERE couverture IS NOT NULL`,
    { utilisateur },
  );
  return new Set(rows.map((row) => String(Reflect.get(Object(row), 'cle'))));
}

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
