import type { Database } from '#server/database/database';
import type { Row, RowChange } from '#shared/change-reader';
import { isAnyViolation } from '#server/database/violations';
import type { Records } from '#server/records/records';
import * as rows from '../store/rows.ts';
import { changedColumns, isEmptying, ownerOf, rowKey } from '#server/writes/change-set';
import type { LaterActs } from './later-acts.ts';
import type { Reasons } from './reasons.ts';
import { Words, type Undoing } from './words.ts';

/**
 * Takes the steps of an act back, the last one first, each on the row as the act left it; what a deletion
 * did by itself (a link that it emptied, a word that went with its last use) is no later change.
 * Ranks are written at the end, from the order of their list (docs/rules.md § 38).
 */
export class Replay {
  /** The keys of the rows that were written, as `rowKey` gives them. */
  readonly touched = new Set<string>();
  readonly #steps: readonly RowChange[];
  readonly #database: Database;
  readonly #reasons: Reasons;
  readonly #later: LaterActs;
  readonly #words: Words;
  /** The lists whose ranks are to be written: their owners by their tables. */
  readonly #lists = new Map<string, Set<string>>();

  constructor(records: Records, { steps, later, reasons }: Undoing) {
    this.#steps = steps;
    this.#database = records.database;
    this.#reasons = reasons;
    this.#later = later;
    this.#words = new Words(records, { steps, later, reasons });
  }

  run(): void {
    for (const { table, avant, apres } of this.#steps.toReversed()) {
      try {
        this.#takeBack(table, avant, apres);
      } catch (error) {
        if (!isAnyViolation(error)) throw error;
        throw this.#reasons.violated(table, avant ?? apres ?? {});
      }
    }
    for (const [table, owners] of this.#lists)
      for (const utilisateur of owners) rows.renumber(this.#database, table, utilisateur);
    this.#words.deleteUnused();
    this.#later.settle();
  }

  #takeBack(table: string, avant: Row | null, apres: Row | null): void {
    const before = avant && this.#words.restored(table, avant);
    const after = apres && this.#words.present(table, apres);
    this.#note(table, before);
    this.#note(table, after);
    if (before !== null && after !== null) this.#rewrite(table, before, after);
    else if (before !== null) this.#restore(table, before);
    else if (after !== null) this.#remove(table, after);
  }

  #remove(table: string, image: Row): void {
    if (this.#words.isWord(table)) {
      this.#words.remove(table, image);
      return;
    }
    const present = rows.readRow(this.#database, table, image);
    const names = Object.keys(image).filter((name) => !this.#isOrder(table, name));
    if (present === undefined || names.some((name) => !this.#isLeft(table, present, image, name)))
      throw this.#reasons.changed(table, image);
    const held = this.#later.deletionFrom(table, image['id']);
    if (held !== undefined) throw this.#reasons.changed(held.table, held.image);
    rows.removeRow(this.#database, table, image);
  }

  #restore(table: string, image: Row): void {
    if (this.#words.isWord(table)) this.#words.restore(table, image);
    else rows.restoreRow(this.#database, table, this.#withoutLostLinks(table, image));
  }

  #rewrite(table: string, avant: Row, apres: Row): void {
    const names = changedColumns(avant, apres).filter(
      (name) => !(name === 'rang' && this.#isOrder(table, name)),
    );
    if (names.length === 0) return;
    const present = rows.readRow(this.#database, table, apres);
    if (present === undefined) {
      this.#rewriteGone(table, pick(avant, names), apres);
      return;
    }
    for (const name of names) {
      if (!this.#isLeft(table, present, apres, name)) throw this.#refusal(table, apres, name);
      if (present[name] !== apres[name]) this.#forgetEmptying(table, apres, name);
    }
    if (this.#words.isNamedSince(table, apres['id'], names))
      throw this.#reasons.added(table, present);
    const image = this.#withoutLostLinks(table, { ...apres, ...pick(avant, names) });
    rows.rewriteRow(this.#database, table, apres, pick(image, names));
  }

  /** Undoes a change of a row that was deleted since: its kept image is rewritten if only its place changed. */
  #rewriteGone(table: string, values: Row, apres: Row): void {
    const names = Object.keys(values);
    const deletion = this.#later.deletionOf(table, apres['id']);
    if (names.every((name) => deletion?.image[name] === values[name])) return;
    if (deletion === undefined) {
      // The act only set a link to null: nothing to give back.
      if (isEmptying(this.#database, table, { ...apres, ...values }, apres)) return;
      throw this.#reasons.changed(table, apres);
    }
    const isStanding = (name: string) =>
      this.#isOrder(table, name) || this.#isLoose(table, name) || name === 'position';
    if (!names.every((name) => isStanding(name) && deletion.image[name] === apres[name]))
      throw this.#reasons.changed(table, apres);
    this.#later.rewriteImage(deletion, table, values);
  }

  /** True where a column is as the act left it, or was emptied with what it led to. */
  #isLeft(table: string, present: Row, image: Row, name: string): boolean {
    return (
      present[name] === image[name] ||
      (present[name] === null &&
        rows
          .lostLinks(this.#database, table, image)
          .some(({ column, isLoose }) => column === name && isLoose === 1))
    );
  }

  #refusal(table: string, image: Row, name: string) {
    return this.#isOrder(table, name)
      ? this.#reasons.reordered(table, image)
      : this.#reasons.changed(table, image);
  }

  #forgetEmptying(table: string, image: Row, name: string): void {
    const link = this.#database.capture.linksOf(table).find(({ column }) => column === name);
    if (link !== undefined) this.#later.removeEmptying(link.target, table, image, name);
  }

  /** The image with its links to deleted records set to null, as their deletion would have done. */
  #withoutLostLinks(table: string, image: Row): Row {
    const lost = rows
      .lostLinks(this.#database, table, image)
      .filter(({ isLoose }) => isLoose === 1);
    for (const { column, target } of lost) this.#later.addEmptying(target, table, image, column);
    return { ...image, ...Object.fromEntries(lost.map(({ column }) => [column, null])) };
  }

  #isLoose(table: string, name: string): boolean {
    const links = this.#database.capture.linksOf(table);
    return links.some(({ column, isLoose }) => column === name && isLoose === 1);
  }

  /** Whether a column says where a row stands in a list of one person. */
  #isOrder(table: string, name: string): boolean {
    return (
      (name === 'rang' || name === 'ordre') &&
      this.#database.capture.columnsOf(table).includes('ordre')
    );
  }

  #note(table: string, image: Row | null): void {
    if (image === null) return;
    this.touched.add(rowKey(this.#database, table, image));
    if (!this.#isOrder(table, 'ordre')) return;
    this.#lists.set(table, (this.#lists.get(table) ?? new Set()).add(ownerOf(image)));
  }
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name]]));
