import type { RecordOfRow, Records } from '#server/plumbing/records/records';
import { ownerOf } from '#server/plumbing/writes/change-set';
import type { Row, RowChange } from '#shared/change-reader';
import { readRow } from '../store/rows.ts';
import type { Hindrance } from './hindrances.ts';

/** For what belongs to another person: it must not say what stands in the way. */
const UNDISCLOSED = 'Autre chose en dépend.';
const CHANGED = 'Ce qu’elle touche a été modifié depuis.';

/** An act that is to be taken back, for whom, and what a later one did that is in the way, where it is known. */
interface Undoing {
  readonly utilisateur: string | null;
  readonly steps: readonly RowChange[];
  readonly change: RowChange | undefined;
}

/** Says what stands in the way of an undoing, to one caller (docs/rules.md § 38). */
export class Reasons {
  readonly #records: Records;
  readonly #undoing: Undoing;

  constructor(records: Records, undoing: Undoing) {
    this.#records = records;
    this.#undoing = undoing;
  }

  of({ why, table, image, raison, lost }: Hindrance): string {
    const row = this.#wholeRow(table, image);
    const owner = ownerOf(row);
    if (owner !== '' && owner !== this.#undoing.utilisateur) return UNDISCLOSED;
    const { database } = this.#records;
    const { reasons } = this.#records.rulesOf(table);
    switch (why) {
      case 'changed':
        return this.#named(table, row, this.#changed(table, row));
      case 'added':
        return this.#named(
          table,
          row,
          reasons?.added?.(database, row) ?? this.#changed(table, row),
        );
      case 'violated':
        return this.#named(
          table,
          row,
          reasons?.taken?.(database, image) ?? this.#changed(table, row),
        );
      case 'kept':
        return this.#kept(row);
      case 'named':
        return 'L’auteur a d’autres livres depuis.';
      case 'gone':
        return this.#gone(lost ?? { table, key: row });
      case 'breach':
        return raison ?? CHANGED;
    }
  }

  /** Of a record that is deleted, and stood in what is to go. */
  #kept(row: Row): string {
    const { table, avant } = this.#undoing.change ?? { table: '', avant: null };
    return this.#named(table, avant ?? row, this.#changed(table, avant ?? row));
  }

  #gone({ table, key }: NonNullable<Hindrance['lost']>): string {
    const gone = this.#records.rulesOf(table).reasons?.gone;
    return gone === undefined ? CHANGED : this.#named(table, key, `${gone} depuis.`);
  }

  #changed(table: string, row: Row): string {
    const own = this.#records.rulesOf(table).reasons?.changed;
    if (own !== undefined) return own(this.#records.database, row);
    const record = this.#records.recordOf(table, row);
    if (record === undefined) return CHANGED;
    const { subject, ending } = record.kind.naming;
    const isGone = this.#records.nameOf(record.collection, record.id) === null;
    return `${subject} a été ${isGone ? 'supprimé' : 'modifié'}${ending} depuis.`;
  }

  /** The sentence with the name of what it speaks of, where the act touched several of that kind. */
  #named(table: string, row: Row, sentence: string): string {
    const record = this.#recordsOf(table, row).find(({ kind }) =>
      sentence.startsWith(`${kind.naming.subject} `),
    );
    if (record === undefined || !this.#hasSeveral(record)) return sentence;
    const { subject, column } = record.kind.naming;
    const name =
      this.#records.nameOf(record.collection, record.id) ??
      this.#deleted(record.kind.source.table, record.id)?.[column];
    if (typeof name !== 'string') return sentence;
    return `${subject} ${name}${sentence.slice(subject.length)}`;
  }

  /** The record of a row, and those that it leads to. */
  #recordsOf(table: string, row: Row): RecordOfRow[] {
    const links = this.#records.database.capture.linksOf(table);
    return [
      this.#records.recordOf(table, row),
      ...links.map(({ column, target }) => this.#records.recordOf(target, { id: row[column] })),
    ].filter((record) => record !== undefined);
  }

  #hasSeveral({ collection, id }: RecordOfRow): boolean {
    return this.#undoing.steps.some(({ table, avant, apres }) =>
      this.#recordsOf(table, this.#wholeRow(table, apres ?? avant ?? {})).some(
        (other) => other.collection === collection && other.id !== id,
      ),
    );
  }

  /** An image with the columns that a step leaves out, of the row as it is or was when it went. */
  #wholeRow(table: string, image: Row): Row {
    const row = readRow(this.#records.database, table, image) ?? this.#deleted(table, image['id']);
    return { ...row, ...image };
  }

  /** A row that the act in the way has deleted, as it was. */
  #deleted(table: string, id: unknown): Row | undefined {
    const { change } = this.#undoing;
    const isIt = change?.table === table && change.apres === null && change.avant?.['id'] === id;
    return isIt ? (change.avant ?? undefined) : undefined;
  }
}
