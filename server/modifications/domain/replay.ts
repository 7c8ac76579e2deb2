import type { Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import type { RowChange } from '#shared/change-reader';
import { isAnyViolation } from '#server/database/violations';
import type { Records } from '#server/records/records';
import * as rows from '../store/rows.ts';
import { changedColumns, isEmptying, rowKey } from '#server/writes/change-set';
import { RankedLists } from './ranked-lists.ts';
import type { Reasons } from './reasons.ts';

/**
 * Takes the steps of an act back, the last one first, each on the row as the act left it. Ranks of
 * wishes are written at the end. A word of a vocabulary (an author, a theme) that others use by now stays; where one was
 * deleted and made again since, the new one is used (docs/rules.md § 38).
 */
export class Replay {
  /** The keys of the rows that were written, as `rowKey` gives them. */
  readonly touched = new Set<string>();
  readonly #database: Database;
  readonly #records: Records;
  readonly #reasons: Reasons;
  readonly #lists: RankedLists;
  /** « table id » of a vocabulary's record → the id that stands for it now. */
  readonly #successors = new Map<string, number>();
  /** The ids of a vocabulary's records that the act refers to, by table. */
  readonly #referred = new Map<string, Set<number>>();

  constructor(records: Records, steps: readonly RowChange[], reasons: Reasons) {
    this.#database = records.database;
    this.#records = records;
    this.#reasons = reasons;
    this.#lists = new RankedLists(records.database, steps, reasons);
  }

  run(steps: readonly RowChange[]): void {
    for (const step of steps.toReversed()) {
      const avant = step.avant && this.#renamed(step.avant);
      const apres = step.apres && this.#renamed(step.apres);
      try {
        this.#takeBack({ table: step.table, avant, apres });
      } catch (error) {
        if (!isAnyViolation(error)) throw error;
        throw this.#reasons.violated(step.table, avant ?? apres ?? {});
      }
    }
    this.#lists.settle();
    for (const [table, ids] of this.#referred)
      this.#records.rulesOf(table).vocabulary?.deleteUnused(this.#database, [...ids]);
  }

  #takeBack({ table, avant, apres }: RowChange): void {
    this.#note(table, avant, apres);
    if (avant === null && apres !== null) this.#remove(table, apres);
    else if (apres === null && avant !== null) this.#restore(table, avant);
    else if (avant !== null && apres !== null) this.#rewrite(table, avant, apres);
  }

  #remove(table: string, image: Row): void {
    const { vocabulary } = this.#records.rulesOf(table);
    if (vocabulary !== undefined) {
      vocabulary.deleteUnused(this.#database, [Number(image['id'])]);
      return;
    }
    const present = rows.readRow(this.#database, table, image);
    const ranked = RankedLists.isRanked(this.#database, table);
    if (present === undefined || !isAsLeft(present, image, ranked))
      throw this.#reasons.changed(table, image);
    rows.removeRow(this.#database, table, image);
  }

  #restore(table: string, image: Row): void {
    const unique = this.#records.rulesOf(table).vocabulary?.unique;
    const twin =
      unique === undefined
        ? undefined
        : rows.idByText(this.#database, table, unique, image[unique]);
    if (twin !== undefined) {
      this.#successors.set(`${table} ${String(image['id'])}`, twin);
      return;
    }
    rows.restoreRow(this.#database, table, this.#withoutLostLink(table, image));
    this.#lists.noteRestored(table, image);
  }

  #rewrite(table: string, avant: Row, apres: Row): void {
    const ranked = RankedLists.isRanked(this.#database, table);
    const names = changedColumns(avant, apres).filter((name) => !(ranked && name === 'rang'));
    if (ranked) this.#lists.noteMoved(table, avant, apres);
    if (names.length === 0) return;
    const present = rows.readRow(this.#database, table, apres);
    // The act only set a link to null, in a row that has been deleted since: nothing to give back.
    if (present === undefined && isEmptying(this.#database, table, avant, apres)) return;
    if (present === undefined || names.some((name) => present[name] !== apres[name]))
      throw this.#reasons.changed(table, apres);
    const image = this.#withoutLostLink(table, pick(avant, names));
    rows.rewriteRow(this.#database, table, apres, image);
  }

  /** The image with its links to deleted records set to null, as `ON DELETE SET NULL` would have. */
  #withoutLostLink(table: string, image: Row): Row {
    const lost = rows
      .lostLinks(this.#database, table, image)
      .filter(({ isLoose }) => isLoose === 1);
    const emptied: Row = Object.fromEntries(lost.map(({ column }) => [column, null]));
    return { ...image, ...emptied };
  }

  /** The image with the ids of a vocabulary's records that have come back under other ids. */
  #renamed(image: Row): Row {
    if (this.#successors.size === 0) return image;
    return Object.fromEntries(
      Object.entries(image).map(([name, value]) => {
        const table = this.#records.vocabularyOf(name);
        return [name, (table && this.#successors.get(`${table} ${String(value)}`)) ?? value];
      }),
    );
  }

  #note(table: string, avant: Row | null, apres: Row | null): void {
    for (const image of [avant, apres]) {
      if (image === null) continue;
      this.touched.add(rowKey(this.#database, table, image));
      for (const [name, id] of Object.entries(image)) {
        const referred = this.#records.vocabularyOf(name);
        if (referred === undefined || typeof id !== 'number') continue;
        this.#referred.set(referred, (this.#referred.get(referred) ?? new Set()).add(id));
      }
    }
  }
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

const isAsLeft = (present: Row, image: Row, ranked: boolean): boolean =>
  Object.keys(image).every((name) => present[name] === image[name] || (ranked && name === 'rang'));
