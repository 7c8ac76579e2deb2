import type { Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import type { RowChange } from '#shared/change-reader';
import { changedColumns, rowKey, shortened } from '#server/writes/change-set';
import { actsAfter, rewriteSteps } from '#server/writes/store/modifications';
import { readRow } from '../store/rows.ts';

/** An act by which a row is gone. */
export interface Deletion {
  readonly id: number;
  readonly steps: readonly RowChange[];
  /** The row as it was. */
  readonly image: Row;
}

/**
 * The acts after the one that is taken back by which rows are gone. They are made to what they would
 * have been without it, so that taking them back afterwards leaves the household from before both
 * (docs/rules.md § 38).
 */
export class LaterActs {
  readonly #database: Database;
  readonly #after: number;

  /** @param after the id of the act that is taken back */
  constructor(database: Database, after: number) {
    this.#database = database;
    this.#after = after;
  }

  /** The act by which a row is gone; `undefined` where none is kept. */
  deletionOf(table: string, id: unknown): Deletion | undefined {
    const text = `{"table":"${table}","avant":{"id":${String(id)},`;
    for (const act of actsAfter(this.#database, this.#after, text)) {
      const last = act.steps.findLast((step) => step.table === table && step.avant?.['id'] === id);
      if (last?.avant && last.apres === null) return { ...act, image: last.avant };
    }
    return undefined;
  }

  /** Whether a row that is there was made to lead to a record. */
  isNamed(target: string, id: unknown): boolean {
    for (const { steps } of actsAfter(this.#database, this.#after, `":${String(id)}`))
      if (steps.some((step) => this.#isNewLink(step, steps, target, id))) return true;
    return false;
  }

  /** Has the deleted row come back with other values. */
  rewriteImage({ id, steps, image }: Deletion, values: Row): void {
    rewriteSteps(
      this.#database,
      id,
      steps.map((step) =>
        step.avant === image ? { ...step, avant: { ...image, ...values } } : step,
      ),
    );
  }

  /** Has the deletion of a record empty a link of a row, as it would have done: both come back. */
  addEmptying(target: string, table: string, row: Row, column: string): void {
    const deletion = this.deletionOf(target, row[column]);
    if (deletion === undefined) return;
    const step = shortened(this.#database, {
      table,
      avant: row,
      apres: { ...row, [column]: null },
    });
    // The first step is taken back last, when the record is there.
    rewriteSteps(this.#database, deletion.id, [step, ...deletion.steps]);
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
    rewriteSteps(
      this.#database,
      deletion.id,
      deletion.steps.filter((step) => !isEmptying(step)),
    );
  }

  #isNewLink(
    { table, avant, apres }: RowChange,
    steps: readonly RowChange[],
    target: string,
    id: unknown,
  ) {
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
