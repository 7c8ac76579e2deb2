import type { Row } from '#shared/change-reader';
import {
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
  type DocumentSource,
} from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** Columns that SQL computes when a wish is inserted or rewritten. */
interface Computed {
  readonly onInsert?: Readonly<Record<string, string>>;
  readonly onUpdate?: Readonly<Record<string, string>>;
}

/** A table of wishes: each reader has a list in it, ranked from 1 without holes. */
export class RankedTable<D> {
  readonly source: DocumentSource<D>;
  readonly #computed: Computed;

  constructor(source: DocumentSource<D>, computed: Computed = {}) {
    this.source = source;
    this.#computed = computed;
  }

  /** One reader's wishes, by rank. */
  list(database: Reader, utilisateur: string): D[] {
    const rest = 'WHERE d.utilisateur = ? ORDER BY d.rang, d.id';
    return readDocuments(database, this.source, rest, utilisateur);
  }

  /** One of a reader's own wishes; another reader's is not found. */
  find(database: Reader, utilisateur: string, id: number): D | undefined {
    const rest = 'WHERE d.utilisateur = ? AND d.id = ?';
    return readDocument(database, this.source, rest, utilisateur, id);
  }

  /** Inserts a wish at the end of its owner's list and returns its id; may violate a unique index. */
  insert(database: Transaction, utilisateur: string, fields: Row): number {
    const { table } = this.source;
    const values = { dateAjout: new Date().toISOString(), ...fields, utilisateur };
    return insertRow(database, table, values, {
      ...this.#computed.onInsert,
      rang: `(SELECT coalesce(max(rang), 0) + 1 FROM ${table} WHERE utilisateur = @utilisateur)`,
      ordre: `(SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = '${table}')`,
    });
  }

  /** Rewrites a wish; its rank and its owner stay. May violate a unique index. */
  update(database: Transaction, id: number, fields: Row): void {
    updateRow(database, this.source.table, id, fields, this.#computed.onUpdate);
  }

  /** Deletes one of a reader's own wishes; returns whether there was one. */
  delete(database: Transaction, utilisateur: string, id: number): boolean {
    const sql = `DELETE FROM ${this.source.table} WHERE id = ? AND utilisateur = ?`;
    return database.run(sql, id, utilisateur).changes > 0;
  }

  /** The ids of one reader's list, by rank. */
  ids(database: Reader, utilisateur: string): number[] {
    const sql = `SELECT id FROM ${this.source.table} WHERE utilisateur = ? ORDER BY rang, id`;
    return database.values<number>(sql, utilisateur);
  }

  /**
   * Ranks a list from 1 in the order of the ids, which are all of it; a wish that keeps its rank and its
   * order is not written. The orders that it has are dealt out anew, none is made: wishes that come back
   * later find theirs.
   */
  rank(database: Transaction, utilisateur: string, ids: readonly number[]): void {
    const { table } = this.source;
    const orders = database.values<number>(
      `SELECT coalesce(ordre, rang) FROM ${table} WHERE utilisateur = ?
       ORDER BY coalesce(ordre, rang), id`,
      utilisateur,
    );
    const sql = `UPDATE ${table} SET rang = @rang, ordre = @ordre
      WHERE id = @id AND utilisateur = @utilisateur AND (rang <> @rang OR ordre IS NOT @ordre)`;
    ids.forEach((id, index) => {
      const rang = index + 1;
      database.run(sql, { id, utilisateur, rang, ordre: orders[index] ?? rang });
    });
  }
}
