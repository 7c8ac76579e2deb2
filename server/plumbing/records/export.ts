import type { Row } from '#shared/change-reader';
import type { Snapshot } from '#server/plumbing/database/snapshot';
import type { ExportedFile } from './kind.ts';

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
  const [row] = snapshot.all<{ count: number }>(
    `SELECT count(*) AS count FROM ${file.source.table} d WHERE ${ownOnly(file)}`,
    { utilisateur },
  );
  return row?.count ?? 0;
}

/** The records of a file in pages, by id; those without an id at once. */
export function* readRecords<D extends object>(
  snapshot: Snapshot,
  { source, owner, isWhole }: ExportedFile<D>,
  utilisateur: string | null,
): Generator<D[]> {
  const select = `${source.select} WHERE ${ownOnly({ owner })}`;
  if (isWhole) {
    yield snapshot.all<Row>(`${select} ORDER BY 1, 2`, { utilisateur }).map(source.toDocument);
    return;
  }
  const sql = `${select} AND d.id > @after ORDER BY d.id LIMIT ${PAGE}`;
  let after = 0;
  for (;;) {
    const rows = snapshot.all<Row>(sql, { after, utilisateur });
    if (rows.length > 0) yield rows.map(source.toDocument);
    if (rows.length < PAGE) return;
    after = Number(rows.at(-1)?.['id']);
  }
}
