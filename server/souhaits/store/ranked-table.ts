import {
  type DocumentSource,
  insertRow,
  readDocument,
  readDocuments,
  type Row,
  updateRow,
} from '#server/database/columns';
import type { Database } from '#server/database/database';

/** A table of wishes: each reader has a list in it, ranked from 1 without holes. */
export interface RankedTable<D> {
  readonly source: DocumentSource<D>;
  /** Columns that SQL computes when a wish is inserted or rewritten. */
  readonly onInsert?: Readonly<Record<string, string>>;
  readonly onUpdate?: Readonly<Record<string, string>>;
}

/** One reader's wishes, by rank. */
export function listSouhaits<D>(
  database: Database,
  { source }: RankedTable<D>,
  utilisateur: string,
): D[] {
  return readDocuments(
    database,
    source,
    'WHERE d.utilisateur = ? ORDER BY d.rang, d.id',
    utilisateur,
  );
}

/** One of a reader's own wishes; another reader's is not found. */
export function readSouhait<D>(
  database: Database,
  { source }: RankedTable<D>,
  utilisateur: string,
  id: number,
): D | undefined {
  return readDocument(database, source, 'WHERE d.utilisateur = ? AND d.id = ?', utilisateur, id);
}

/** Inserts a wish at the end of its owner's list and returns its id; may violate a unique index. */
export function insertSouhait<D>(
  database: Database,
  { source: { table }, onInsert }: RankedTable<D>,
  utilisateur: string,
  fields: Row,
): number {
  const dateAjout = new Date().toISOString();
  return insertRow(
    database,
    table,
    { dateAjout, ...fields, utilisateur },
    {
      ...onInsert,
      rang: `(SELECT coalesce(max(rang), 0) + 1 FROM ${table} WHERE utilisateur = @utilisateur)`,
      ordre: `(SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = '${table}')`,
    },
  );
}

/** Rewrites a wish; its rank and its owner stay. May violate a unique index. */
export function updateSouhait<D>(
  database: Database,
  { source: { table }, onUpdate }: RankedTable<D>,
  id: number,
  fields: Row,
): void {
  updateRow(database, table, id, fields, onUpdate);
}

/** Deletes one of a reader's own wishes; returns whether there was one. */
export function deleteSouhait<D>(
  database: Database,
  { source: { table } }: RankedTable<D>,
  utilisateur: string,
  id: number,
): boolean {
  const { changes } = database.run(
    `DELETE FROM ${table} WHERE id = ? AND utilisateur = ?`,
    id,
    utilisateur,
  );
  return changes > 0;
}

/** The ids of one reader's list, by rank. */
export function idsByRang<D>(
  database: Database,
  { source: { table } }: RankedTable<D>,
  utilisateur: string,
): number[] {
  return database
    .all<{ id: number }>(
      `SELECT id FROM ${table} WHERE utilisateur = ? ORDER BY rang, id`,
      utilisateur,
    )
    .map(({ id }) => id);
}

/**
 * Ranks a list from 1 in the order of the ids, which are all of it; a wish that keeps its rank and its
 * order is not written. The orders that it has are dealt out anew, none is made: wishes that come back
 * later find theirs.
 */
export function writeRangs<D>(
  database: Database,
  { source: { table } }: RankedTable<D>,
  utilisateur: string,
  ids: readonly number[],
): void {
  const orders = database
    .prepare<[string], { ordre: number }>(
      `SELECT coalesce(ordre, rang) AS ordre FROM ${table} WHERE utilisateur = ?
       ORDER BY coalesce(ordre, rang), id`,
    )
    .all(utilisateur);
  const write = database.prepare<
    [{ id: number; utilisateur: string; rang: number; ordre: number }]
  >(
    `UPDATE ${table} SET rang = @rang, ordre = @ordre
     WHERE id = @id AND utilisateur = @utilisateur AND (rang <> @rang OR ordre IS NOT @ordre)`,
  );
  ids.forEach((id, index) =>
    write.run({ id, utilisateur, rang: index + 1, ordre: orders[index]?.ordre ?? index + 1 }),
  );
}
