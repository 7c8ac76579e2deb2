import type { Row } from '#shared/change-reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { isDerived } from '#server/plumbing/database/change-capture';
import { isAnyViolation } from '#server/plumbing/database/violations';
import { wake } from '#server/plumbing/records/dormant';
import type { Records } from '#server/plumbing/records/records';
import { changedColumns, ownerOf, rowKey } from '#server/plumbing/writes/change-set';
import { orderOf, renumber, restoreOrder, listOf } from '#server/plumbing/writes/orders';
import type { KeptModification } from '#server/plumbing/writes/store/modifications';
import * as rows from '../store/rows.ts';
import type { Cause, Hindrance } from './hindrances.ts';

type RolledBackAct = Pick<KeptModification, 'steps' | 'ordres' | 'proprietaire'>;

/**
 * Takes the steps of an act back, the last one first, and finds all that is in the way: each field has to be as the
 * act left it, what it made unchanged and nobody's to lean on, what it deleted not there, and what a row leads to
 * there. Words (authors, themes) sleep and wake with what names them; where a row stands among others is never in the
 * way (docs/rules.md § 38).
 */
export class Rollback {
  readonly hindrances: Hindrance[] = [];
  readonly #records: Records<Transaction>;
  readonly #database: Transaction;
  readonly #act: RolledBackAct;
  /** The rows that were written, by their keys. */
  readonly #written = new Map<string, { readonly table: string; readonly image: Row }>();
  /** The ids of the words that the act speaks of, by table. */
  readonly #words = new Map<string, Set<number>>();

  constructor(records: Records<Transaction>, act: RolledBackAct) {
    this.#records = records;
    this.#database = records.database;
    this.#act = act;
  }

  /** Does it, as far as nothing is in the way; what is, is among `hindrances`. */
  run(): void {
    const { steps, ordres } = this.#act;
    const orders = ordres.map((ordre) => ({ ordre, was: orderOf(this.#records, ordre) }));
    for (const { table, avant, apres } of steps.toReversed())
      this.#guarded(table, avant ?? apres ?? {}, () => this.#takeBack(table, avant, apres));
    for (const { ordre, was } of orders) restoreOrder(this.#records, ordre, was);
    this.#renumber();
    for (const table of this.#words.keys()) this.#letSleep(table);
    this.#findBreaches();
  }

  #takeBack(table: string, avant: Row | null, apres: Row | null): void {
    for (const image of [avant, apres]) if (image !== null) this.#noteWords(table, image);
    if (this.#isWord(table)) this.#takeWordBack(table, avant, apres);
    else if (avant === null) this.#remove(table, apres ?? {});
    else if (apres === null) this.#restore(table, avant);
    else this.#rewrite(table, avant, apres);
  }

  #takeWordBack(table: string, avant: Row | null, apres: Row | null): void {
    // One that the act made goes at the end, if nothing names it.
    if (avant === null) return;
    if (rows.readRow(this.#database, table, avant) === undefined)
      if (!wake(this.#database, table, Number(avant['id'])) && apres === null)
        rows.restoreRow(this.#database, table, avant);
    if (apres !== null) this.#rewrite(table, avant, apres);
  }

  #remove(table: string, image: Row): void {
    const present = rows.readRow(this.#database, table, image);
    if (present === undefined) {
      if (!this.#isSomeoneElses(image) && !this.#isGoneAlong(table, image))
        this.#isChanged(table, image, []);
      return;
    }
    const names = Object.keys(image).filter((name) => this.#isField(table, name));
    if (!this.#isAsLeft(table, present, image, names) || this.#isLeanedOn(table, image)) return;
    rows.removeRow(this.#database, table, image);
    this.#note(table, image);
    // What is deleted can be brought back.
    if (typeof image['id'] === 'number')
      this.#hinder('kept', table, image, [{ ...this.#cause(table, image), isLedTo: true }]);
  }

  /** Whether a row of what all share is one person's: that it has gone since is in nobody's way. */
  #isSomeoneElses(image: Row): boolean {
    const owner = ownerOf(image);
    return owner !== '' && owner !== this.#act.proprietaire;
  }

  #restore(table: string, image: Row): void {
    if (rows.readRow(this.#database, table, image) !== undefined) this.#isChanged(table, image);
    else if (!this.#hasLost(table, image)) {
      rows.restoreRow(this.#database, table, this.#withoutLostLinks(table, image));
      this.#note(table, image);
    }
  }

  #rewrite(table: string, avant: Row, apres: Row): void {
    const changed = changedColumns(avant, apres);
    const fields = changed.filter((name) => this.#isField(table, name));
    const present = rows.readRow(this.#database, table, apres);
    if (present === undefined) {
      const isOfNoAccount = fields.every((name) => this.#isOwnLink(table, apres, name));
      if (!isOfNoAccount && !this.#isGoneAlong(table, apres)) this.#isChanged(table, apres, []);
      return;
    }
    if (!this.#isAsLeft(table, present, apres, fields)) return;
    if (this.#hasLost(table, rows.pick(avant, fields), avant)) return;
    this.#noteNamed(table, apres, changed);
    const isInList =
      JSON.stringify(listOf(this.#records, table, present)) ===
      JSON.stringify(listOf(this.#records, table, { ...present, ...apres }));
    const names = changed.filter((name) =>
      this.#isOrder(table, name) ? isInList && present[name] === apres[name] : true,
    );
    const given = rows.pick(this.#withoutLostLinks(table, avant), names);
    if (names.length > 0) rows.rewriteRow(this.#database, table, apres, given);
    this.#note(table, { ...apres, ...avant });
  }

  /** Whether fields of a row are as the act left them; those that are not hinder. */
  #isAsLeft(table: string, present: Row, image: Row, names: readonly string[]): boolean {
    const others = names.filter(
      (name) =>
        present[name] !== image[name] &&
        !(present[name] === null && this.#isOwnLink(table, image, name)),
    );
    if (others.length === 0) return true;
    return this.#isChanged(table, image, others);
  }

  /** Notes that a row has been changed since: made again, deleted, or in some columns. */
  #isChanged(table: string, image: Row, columns?: readonly string[]): false {
    this.#hinder('changed', table, image, [this.#cause(table, image, columns)]);
    return false;
  }

  /** Whether rows lead to one that is to go; those hinder, but for those that go along with it. */
  #isLeanedOn(table: string, { id }: Row): boolean {
    if (typeof id !== 'number') return false;
    const leaning = this.#database.capture
      .linksTo(table)
      .filter((link) => this.#records.rulesOf(link.table).goesAlong !== true)
      .flatMap(({ table: from, column, isLoose }) =>
        rows
          .rowsLeadingTo(this.#database, from, column, id)
          .filter((row) => isLoose === 0 || ownerOf(row) === '')
          .map((row) => ({ from, column, row })),
      );
    for (const { from, column, row } of leaning)
      this.#hinder('added', from, row, [this.#cause(from, row, [column])]);
    return leaning.length > 0;
  }

  /** Whether a row would lead to one that is not there; that hinders, but for a loose link of one person's. */
  #hasLost(table: string, image: Row, whole = image): boolean {
    const lost = rows
      .lostLinks(this.#database, table, image)
      .filter(
        ({ column, target }) => !this.#isWord(target) && !this.#isOwnLink(table, whole, column),
      );
    for (const { column, target } of lost) {
      const cause = { table: target, key: { id: image[column] } };
      const causes = [{ ...cause, columns: [] }];
      this.hindrances.push({ why: 'gone', table, image: whole, lost: cause, causes });
    }
    return lost.length > 0;
  }

  #withoutLostLinks(table: string, image: Row): Row {
    const lost = rows
      .lostLinks(this.#database, table, image)
      .filter(({ isLoose }) => isLoose === 1);
    return { ...image, ...Object.fromEntries(lost.map(({ column }) => [column, null])) };
  }

  /** Has the words that an image names be there, under their own ids. */
  #noteWords(table: string, image: Row): void {
    for (const { column, target } of this.#database.capture.linksOf(table)) {
      const id = image[column];
      if (typeof id !== 'number' || !this.#isWord(target)) continue;
      this.#noteWord(target, id);
      if (rows.readRow(this.#database, target, { id }) === undefined)
        wake(this.#database, target, id);
    }
    if (this.#isWord(table)) this.#noteWord(table, Number(image['id']));
  }

  /** Words of the act that nothing names go to sleep. */
  #letSleep(table: string): void {
    const ids = [...(this.#words.get(table) ?? [])];
    this.#records.rulesOf(table).vocabulary?.deleteUnused(this.#database, ids);
  }

  #noteWord(table: string, id: number): void {
    this.#words.set(table, (this.#words.get(table) ?? new Set()).add(id));
  }

  /** A name that the act gave a word, by which later acts have named it, is in the way. */
  #noteNamed(table: string, image: Row, changed: readonly string[]): void {
    const unique = this.#records.rulesOf(table).vocabulary?.unique;
    if (unique === undefined || !changed.includes(unique)) return;
    for (const { table: from, column } of this.#database.capture.linksTo(table))
      for (const row of rows.rowsLeadingTo(this.#database, from, column, Number(image['id'])))
        this.#hinder('named', from, row, [this.#cause(from, row, [column])]);
  }

  #renumber(): void {
    const lists = new Map(
      this.#act.steps.flatMap(({ table, avant, apres }) => {
        const list = listOf(this.#records, table, avant ?? apres);
        return list === null ? [] : [[JSON.stringify(list), list] as const];
      }),
    );
    for (const list of lists.values()) renumber(this.#records, list);
  }

  #findBreaches(): void {
    for (const { table, image } of this.#written.values()) {
      const row = rows.readRow(this.#database, table, image);
      const breach = row && this.#records.rulesOf(table).findBreach?.(this.#database, row);
      if (!breach) continue;
      const { raison } = breach;
      const causes = breach.rows.map(([of, id]) => ({ table: of, key: { id } }));
      this.hindrances.push({ why: 'breach', table, image, raison, causes });
    }
  }

  #guarded(table: string, image: Row, work: () => void, isAgain = !this.#isWord(table)): void {
    try {
      work();
    } catch (error) {
      if (!isAnyViolation(error)) throw error;
      if (isAgain) this.#hinderByRivals(table, image);
      else {
        // A word that this act made, and that goes with it, may have the name.
        this.#letSleep(table);
        this.#guarded(table, image, work, true);
      }
    }
  }

  #hinderByRivals(table: string, image: Row): void {
    const rivals = rows.rivalsOf(this.#database, table, image);
    const causes = rivals.flatMap(({ row, columns }) => [
      this.#cause(table, row, columns),
      ...this.#namings(table, row),
    ]);
    this.#hinder('violated', table, image, causes);
  }

  /** What names a word, which stays while any of these does: the rows, and the records that they are of. */
  #namings(table: string, { id }: Row): Cause[] {
    if (!this.#isWord(table)) return [];
    return this.#database.capture.linksTo(table).flatMap(({ table: from, column }) => {
      const [link = '', whole = ''] = this.#records.rulesOf(from).partOf ?? [];
      return rows
        .rowsLeadingTo(this.#database, from, column, Number(id))
        .flatMap((row) => [
          this.#cause(from, row, [column]),
          ...(whole === '' ? [] : [{ table: whole, key: { id: row[link] }, columns: [] }]),
        ]);
    });
  }

  #hinder(why: Hindrance['why'], table: string, image: Row, causes: readonly Cause[]): void {
    this.hindrances.push({ why, table, image, causes });
  }

  #cause(table: string, row: Row, columns?: readonly string[]): Cause {
    const key = rows.pick(row, this.#database.capture.keyOf(table));
    return columns === undefined ? { table, key } : { table, key, columns };
  }

  #note(table: string, image: Row): void {
    this.#written.set(rowKey(this.#database, table, image), { table, image });
  }

  #isWord(table: string): boolean {
    return this.#records.rulesOf(table).vocabulary !== undefined;
  }

  #isOrder(table: string, name: string): boolean {
    return this.#records.rulesOf(table).order?.columns.includes(name) === true;
  }

  /** Whether a column is what somebody entered or chose: in another state it is in the way. */
  #isField(table: string, name: string): boolean {
    return !isDerived(name) && !this.#isOrder(table, name);
  }

  /** Whether a column is a loose link of one person's row: it comes and goes with what it leads to. */
  #isOwnLink(table: string, image: Row, name: string): boolean {
    const links = this.#database.capture.linksOf(table);
    return (
      ownerOf(image) !== '' && links.some((link) => link.column === name && link.isLoose === 1)
    );
  }

  /** Whether a row that goes with its record is gone because that is. */
  #isGoneAlong(table: string, image: Row): boolean {
    return (
      this.#records.rulesOf(table).goesAlong === true &&
      rows.lostLinks(this.#database, table, image).length > 0
    );
  }
}
