import { m } from '#messages';
import type { Row } from '#shared/change-reader';
import { found, Refusal } from '#shared/refusals';
import { isReordering } from '#server/plumbing/common/entry';
import {
  insertRow,
  readDocument,
  readDocuments,
  updateRow,
  updateRows,
  type DocumentProjection,
  type RowsWhere,
  refusingTwins,
} from '#server/plumbing/database/columns';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import type { TableRules } from '#server/plumbing/records/kind';

interface ListRules<D, S> {
  readonly projection: DocumentProjection<D>;
  /** The columns that are unique together, as `Table.column`. */
  readonly unique: readonly string[];
  readonly readEntry: (saisie: S) => Row;
  /** Gives stored wishes the keys of today's rules, unless others have them. */
  readonly renewKeys: (tx: Transaction, where?: RowsWhere) => void;
  readonly onInsert?: Readonly<Record<string, string>>;
  readonly onUpdate?: Readonly<Record<string, string>>;
}

/** The former data of a restored wish. */
interface Former {
  readonly id?: number | null;
  readonly dateAjout?: string | null;
}

/** One list per reader, ranked from 1 without gaps (docs/rules.md § 17). Another reader's wish is `INTROUVABLE`. */
export class PersonalList<D extends { readonly id: number }, S> {
  readonly #rules: ListRules<D, S>;

  constructor(rules: ListRules<D, S>) {
    this.#rules = rules;
  }

  all(database: Reader, utilisateur: string): D[] {
    const rest = 'WHERE d.utilisateur = ? ORDER BY d.rang, d.id';
    return readDocuments(database, this.#rules.projection, rest, utilisateur);
  }

  ids(database: Reader, utilisateur: string): number[] {
    const sql = `SELECT id FROM ${this.#rules.projection.table} WHERE utilisateur = ? ORDER BY rang, id`;
    return database.values<number>(sql, utilisateur);
  }

  /** How many ranks a removal may change: those after the wish. */
  countFrom(database: Reader, utilisateur: string, id: number): number {
    const { table } = this.#rules.projection;
    const sql = `SELECT count(*) FROM ${table} WHERE utilisateur = @utilisateur
      AND rang >= (SELECT rang FROM ${table} WHERE id = @id)`;
    return database.value<number>(sql, { utilisateur, id }) ?? 0;
  }

  find(database: Reader, utilisateur: string, id: number): D | undefined {
    const rest = 'WHERE d.utilisateur = ? AND d.id = ?';
    return readDocument(database, this.#rules.projection, rest, utilisateur, id);
  }

  get(database: Reader, utilisateur: string, id: number): D {
    return found(this.find(database, utilisateur, id));
  }

  /** Adds a wish at the end of a list. Throws `SOUHAIT_EXISTANT`. */
  add(tx: Transaction, utilisateur: string, saisie: S): D {
    const fields = this.#rules.readEntry(saisie);
    const id = this.#refusingTwins(() => this.insert(tx, utilisateur, fields));
    return this.get(tx, utilisateur, id);
  }

  /** Inserts at the end of the list; may violate a unique index. Returns the id. */
  insert(
    tx: Transaction,
    utilisateur: string,
    fields: Row,
    { dateAjout = null, id = null }: Former = {},
  ): number {
    const { onInsert, projection } = this.#rules;
    const { table } = projection;
    const added = dateAjout ?? new Date().toISOString();
    const values = { ...fields, id, utilisateur, dateAjout: added };
    return insertRow(tx, table, values, {
      ...onInsert,
      rang: `(SELECT coalesce(max(rang), 0) + 1 FROM ${table} WHERE utilisateur = @utilisateur)`,
      // The id that it gets.
      ordre: `coalesce(@id, (SELECT coalesce(max(seq), 0) + 1 FROM sqlite_sequence WHERE name = '${table}'))`,
    });
  }

  /** Rewrites a wish; its rank stays. Throws `SOUHAIT_EXISTANT`. */
  update(tx: Transaction, utilisateur: string, id: number, saisie: S): D {
    const { readEntry, projection, onUpdate } = this.#rules;
    this.get(tx, utilisateur, id);
    const fields = readEntry(saisie);
    this.#refusingTwins(() => updateRow(tx, projection.table, id, fields, onUpdate));
    this.#giveFreedKeys(tx, utilisateur);
    return this.get(tx, utilisateur, id);
  }

  /** Removes wishes from one list; later ones move up. Throws `INTROUVABLE` if one is not in it. */
  remove(tx: Transaction, utilisateur: string, ids: readonly number[]): void {
    const sql = `DELETE FROM ${this.#rules.projection.table} WHERE id = ? AND utilisateur = ?`;
    for (const id of ids)
      if (tx.run(sql, id, utilisateur).changes === 0) throw new Refusal('INTROUVABLE');
    this.rank(tx, utilisateur, this.ids(tx, utilisateur));
    this.#giveFreedKeys(tx, utilisateur);
  }

  /** Moves wishes to the beginning or the end, in their order. Throws `INTROUVABLE`. */
  move(tx: Transaction, utilisateur: string, ids: readonly number[], to: 'enTete' | 'enFin'): void {
    const all = this.ids(tx, utilisateur);
    const moved = new Set(ids);
    const [theirs, others] = [
      all.filter((id) => moved.has(id)),
      all.filter((id) => !moved.has(id)),
    ];
    if (theirs.length < moved.size) throw new Refusal('INTROUVABLE');
    this.rank(tx, utilisateur, to === 'enTete' ? [...theirs, ...others] : [...others, ...theirs]);
  }

  /** If later rules consider two wishes equal, both stay; the later one gets its key once the other is deleted. */
  #giveFreedKeys(tx: Transaction, utilisateur: string): void {
    this.#rules.renewKeys(tx, ['utilisateur = ?', utilisateur]);
  }

  /** Throws `LISTE_PERIMEE` unless the ids are exactly those of the list. */
  reorder(tx: Transaction, utilisateur: string, ids: readonly number[]): D[] {
    if (!isReordering(this.ids(tx, utilisateur), ids)) throw new Refusal('LISTE_PERIMEE');
    this.rank(tx, utilisateur, ids);
    return this.all(tx, utilisateur);
  }

  /**
   * Ranks a list from 1 in the order of all its ids; unchanged wishes are not written. The existing values of `ordre`
   * are redistributed and none is added, so that restored wishes find theirs.
   */
  rank(tx: Transaction, utilisateur: string, ids: readonly number[]): void {
    const { table } = this.#rules.projection;
    const orders = tx.values<number>(
      `SELECT coalesce(ordre, rang) FROM ${table} WHERE utilisateur = ?
       ORDER BY coalesce(ordre, rang), id`,
      utilisateur,
    );
    const places = ids.map((id, index) => [id, index + 1, orders[index] ?? index + 1] as const);
    updateRows(tx, table, ['rang', 'ordre'], places);
  }

  #refusingTwins<T>(write: () => T): T {
    return refusingTwins(this.#rules.unique, write, () => new Refusal('SOUHAIT_EXISTANT'));
  }
}

/** Derived columns, and columns that are not in the history, differ by table. */
export const wishKind = (
  table: string,
  columns: Required<Pick<TableRules, 'derived' | 'notInHistory'>>,
) => ({
  owner: 'utilisateur',
  naming: {
    column: 'titre',
    subject: m.reason_sujet_souhait,
    changed: m.reason_souhait_modifie,
    deleted: m.reason_souhait_supprime,
  },
  tables: {
    [table]: {
      ...columns,
      order: { list: table, parent: 'utilisateur', columns: ['ordre', 'rang'] },
      reasons: { taken: () => m.reason_souhait_de_nouveau() },
    },
  },
});
