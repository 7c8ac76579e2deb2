import type { Database } from '#server/database/database';
import type { Row, RowChange } from '#shared/change-reader';
import { changedColumns, rowKey, shortened } from '#server/writes/change-set';
import { actsAfter, rewriteSteps } from '#server/writes/store/modifications';
import { readRow } from '../store/rows.ts';

/** The last deletion of a row. */
export interface Deletion {
  readonly actId: number;
  readonly table: string;
  readonly isInForce: boolean;
  /** The row as it was before the act, which may have rewritten it first. */
  image: Row;
  /** Whether what led to the row was led to another one: it is not gone by itself. */
  readonly isReplaced: boolean;
}

/**
 * The acts after the one that is taken back, by which rows are gone. They are made to what they would
 * have been without it, so that taking them back afterwards leaves the household from before both
 * (docs/rules.md § 38). They are read when a row is missed for the first time, and written by `settle`.
 */
export class LaterActs {
  readonly #database: Database;
  readonly #after: number;
  readonly #steps = new Map<number, RowChange[]>();
  readonly #changed = new Set<number>();
  #deletions: Map<string, Deletion> | undefined;

  /** @param after the id of the act that is taken back */
  constructor(database: Database, after: number) {
    this.#database = database;
    this.#after = after;
  }

  /** The act by which a row is gone; `undefined` where none is kept. */
  deletionOf(table: string, id: unknown): Deletion | undefined {
    return this.#allDeletions().get(`${table} ${String(id)}`);
  }

  /** The deletion, by an act that is in force, of a row that could not come back without a record. */
  deletionFrom(target: string, id: unknown): Deletion | undefined {
    const { capture } = this.#database;
    if (!capture.isHeld(target)) return undefined;
    return [...this.#allDeletions().values()].find(
      ({ table, image, isInForce }) =>
        isInForce &&
        capture
          .linksOf(table)
          .some(
            (link) => link.isHolding === 1 && link.target === target && image[link.column] === id,
          ),
    );
  }

  /** Whether an act that is in force did nothing but give a row another value of a column. */
  isRewritten(table: string, id: number, column: string): boolean {
    for (const { steps, isInForce } of actsAfter(this.#database, this.#after, `"id":${String(id)}`))
      if (
        isInForce &&
        steps.every(
          ({ table: other, avant, apres }) =>
            other === table && avant?.['id'] === id && apres !== null,
        ) &&
        steps.some(({ avant, apres }) => avant?.[column] !== apres?.[column])
      )
        return true;
    return false;
  }

  /** Whether an act that is in force made a row that is there lead to a record. */
  isNamed(target: string, id: unknown): boolean {
    const acts = actsAfter(this.#database, this.#after, `":${String(id)}`);
    for (const { steps, isInForce } of acts)
      if (isInForce && steps.some((step) => this.#isNewLink(step, steps, target, id))) return true;
    return false;
  }

  /** Changes the kept images of a deleted row, from which it is restored: the first step that changed each value. */
  rewriteImage(deletion: Deletion, table: string, values: Row): void {
    const key = rowKey(this.#database, table, deletion.image);
    deletion.image = { ...deletion.image, ...values };
    const left = new Map(Object.entries(values));
    this.#rewrite(deletion.actId, (steps) =>
      steps.map((step) => {
        const { avant, apres } = step;
        if (step.table !== table || avant === null) return step;
        if (rowKey(this.#database, table, avant) !== key) return step;
        const changed = apres === null ? Object.keys(avant) : changedColumns(avant, apres);
        const names = changed.filter((name) => left.has(name));
        const given = Object.fromEntries(names.map((name) => [name, left.get(name)]));
        for (const name of names) left.delete(name);
        return { ...step, avant: { ...avant, ...given } };
      }),
    );
  }

  /** Adds to the deletion of a record that it emptied a link of a row, so that undoing it restores the link. */
  addEmptying(target: string, table: string, row: Row, column: string): void {
    const deletion = this.deletionOf(target, row[column]);
    if (deletion === undefined) return;
    const step = shortened(this.#database, {
      table,
      avant: row,
      apres: { ...row, [column]: null },
    });
    // The first step is taken back last, when the record is there.
    this.#rewrite(deletion.actId, (steps) => [step, ...steps]);
  }

  /** Has the deletion of a record leave a link alone that would not have led to it. */
  removeEmptying(target: string, table: string, row: Row, column: string): void {
    const deletion = this.deletionOf(target, row[column]);
    if (deletion === undefined) return;
    const key = rowKey(this.#database, table, row);
    const isEmptying = ({ table: other, avant, apres }: RowChange) =>
      other === table &&
      avant !== null &&
      apres !== null &&
      rowKey(this.#database, table, avant) === key &&
      changedColumns(avant, apres).join() === column;
    this.#rewrite(deletion.actId, (steps) => steps.filter((step) => !isEmptying(step)));
  }

  /** Writes the acts that have changed. */
  settle(): void {
    for (const id of this.#changed) rewriteSteps(this.#database, id, this.#steps.get(id) ?? []);
  }

  #rewrite(actId: number, change: (steps: RowChange[]) => RowChange[]): void {
    this.#steps.set(actId, change(this.#steps.get(actId) ?? []));
    this.#changed.add(actId);
  }

  #allDeletions(): Map<string, Deletion> {
    return (this.#deletions ??= this.#readDeletions());
  }

  #readDeletions(): Map<string, Deletion> {
    const deletions = new Map<string, Deletion>();
    const acts = actsAfter(this.#database, this.#after, '"apres":null');
    for (const { id: actId, steps, isInForce } of acts) {
      this.#steps.set(actId, [...steps]);
      const replaced = new Set(steps.flatMap((step) => this.#replacedBy(step)));
      for (const { table, avant, apres } of steps.toReversed()) {
        if (typeof avant?.['id'] !== 'number') continue;
        const key = `${table} ${String(avant['id'])}`;
        const deletion = deletions.get(key);
        if (deletion?.actId === actId) deletion.image = { ...deletion.image, ...avant };
        if (deletion !== undefined || apres !== null) continue;
        const isReplaced = replaced.has(key);
        deletions.set(key, { actId, table, image: avant, isInForce, isReplaced });
      }
    }
    return deletions;
  }

  /** What a rewritten row led to, where it leads to something else now. */
  #replacedBy({ table, avant, apres }: RowChange): string[] {
    if (avant === null || apres === null) return [];
    return this.#database.capture
      .linksOf(table)
      .filter(({ column }) => apres[column] !== null && apres[column] !== avant[column])
      .map(({ column, target }) => `${target} ${String(avant[column])}`);
  }

  #isNewLink(
    { table, avant, apres }: RowChange,
    steps: readonly RowChange[],
    target: string,
    id: unknown,
  ): boolean {
    const link = this.#database.capture
      .linksOf(table)
      .find(
        ({ column, target: to }) =>
          to === target && apres?.[column] === id && avant?.[column] !== id,
      );
    if (link === undefined || apres === null) return false;
    const key = rowKey(this.#database, table, apres);
    // A list that is written anew deletes its rows first.
    const isRewritten = steps.some(
      (step) =>
        step.apres === null &&
        step.table === table &&
        step.avant !== null &&
        rowKey(this.#database, table, step.avant) === key,
    );
    return !isRewritten && readRow(this.#database, table, apres)?.[link.column] === id;
  }
}
