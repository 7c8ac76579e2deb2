import type { Row } from '#shared/change-reader';
import { found, Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { refusingTwins } from '#server/plumbing/database/violations';
import { isReordering } from '#server/plumbing/common/order';
import type { RankedTable } from '../store/ranked-table.ts';

/** What distinguishes one kind of wish from another. */
interface ListDescription<D, S> {
  readonly table: RankedTable<D>;
  /** The columns that no two wishes have in common, as `Table.column`. */
  readonly unique: readonly string[];
  /** The columns of a wish from its entry; throws the refusal of what breaks a rule. */
  readonly readEntry: (saisie: S) => Row;
}

/**
 * The ranked wish lists of one kind, one list a reader (docs/rules.md § 17). Another reader's wish
 * is `INTROUVABLE`.
 */
export class PersonalList<D extends { readonly id: number }, S> {
  readonly #description: ListDescription<D, S>;

  constructor(description: ListDescription<D, S>) {
    this.#description = description;
  }

  /** A reader's wishes, by rank. */
  all(database: Reader, utilisateur: string): D[] {
    return this.#description.table.list(database, utilisateur);
  }

  /** Throws `INTROUVABLE`. */
  get(database: Reader, utilisateur: string, id: number): D {
    return found(this.#description.table.find(database, utilisateur, id));
  }

  /** Adds a wish at the end of a list. Throws `SOUHAIT_EXISTANT`. */
  add(database: Transaction, utilisateur: string, saisie: S): D {
    const { table, readEntry } = this.#description;
    const fields = readEntry(saisie);
    const id = this.#refusingTwins(() => table.insert(database, utilisateur, fields));
    return this.get(database, utilisateur, id);
  }

  /** Rewrites a wish; its rank stays. Throws `SOUHAIT_EXISTANT`. */
  update(database: Transaction, utilisateur: string, id: number, saisie: S): D {
    const { table, readEntry } = this.#description;
    this.get(database, utilisateur, id);
    const fields = readEntry(saisie);
    this.#refusingTwins(() => table.update(database, id, fields));
    return this.get(database, utilisateur, id);
  }

  /** Takes a wish off its list; those behind it move up. */
  remove(database: Transaction, utilisateur: string, id: number): void {
    this.removeAll(database, utilisateur, [id]);
  }

  /** Takes several wishes off one list. Throws `INTROUVABLE` where one is not on it. */
  removeAll(database: Transaction, utilisateur: string, ids: readonly number[]): void {
    const { table } = this.#description;
    for (const id of ids)
      if (!table.delete(database, utilisateur, id)) throw new Refusal('INTROUVABLE');
    table.rank(database, utilisateur, table.ids(database, utilisateur));
  }

  /** Puts a list in a new order. Throws `LISTE_PERIMEE` unless it is exactly that list. */
  reorder(database: Transaction, utilisateur: string, ids: readonly number[]): D[] {
    const { table } = this.#description;
    if (!isReordering(table.ids(database, utilisateur), ids)) throw new Refusal('LISTE_PERIMEE');
    table.rank(database, utilisateur, ids);
    return this.all(database, utilisateur);
  }

  #refusingTwins<T>(write: () => T): T {
    return refusingTwins(this.#description.unique, write, () => new Refusal('SOUHAIT_EXISTANT'));
  }
}
