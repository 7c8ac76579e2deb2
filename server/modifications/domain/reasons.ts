import type { RecordOfRow, Records } from '#server/records/records';
import { ownerOf } from '#server/writes/change-set';
import type { Row, RowChange } from '#shared/change-reader';
import { Refusal } from '#shared/refusals';
import { lostLinks, readRow } from '../store/rows.ts';
import type { LaterActs } from './later-acts.ts';

/** The refusal of an undoing, with what stands in its way, and of which act: « L’ajout ne peut plus être annulé ». */
export const impossible = (raison: string, acte?: string): Refusal<'ANNULATION_IMPOSSIBLE'> =>
  new Refusal('ANNULATION_IMPOSSIBLE', { raison, ...(acte !== undefined && { acte }) });

/** For what belongs to another person: it must not say what stands in the way. */
const UNDISCLOSED = 'Autre chose en dépend.';
const CHANGED = 'Ce qu’elle touche a été modifié depuis.';

/** An act that is to be taken back, and for whom. */
interface Undoing {
  readonly utilisateur: string | null;
  readonly steps: readonly RowChange[];
  readonly later: LaterActs;
}

/** Says what stands in the way of an undoing, to one caller (docs/rules.md § 38). */
export class Reasons {
  readonly #records: Records;
  readonly #undoing: Undoing;

  constructor(records: Records, undoing: Undoing) {
    this.#records = records;
    this.#undoing = undoing;
  }

  /** The row is not as the act left it: it was rewritten or deleted since. */
  changed(table: string, image: Row): Refusal {
    return this.#refuse(table, image, (row) => this.#changed(table, row));
  }

  /** A constraint of the database does not allow the row beside what has been added since. */
  violated(table: string, image: Row): Refusal {
    const { database } = this.#records;
    const lost = lostLinks(database, table, image).find(({ isLoose }) => isLoose === 0);
    const gone = lost && this.#records.rulesOf(lost.target).reasons?.gone;
    if (lost !== undefined && gone !== undefined) {
      const about = { table: lost.target, row: { id: image[lost.column] } };
      return this.#refuse(table, image, () => `${gone} depuis.`, about);
    }
    return this.#refuse(table, image, (row) => {
      const taken = this.#records.rulesOf(table).reasons?.taken?.(database, image);
      return taken ?? this.#changed(table, row);
    });
  }

  /** A row that the act did not touch would be deleted or changed along with it. */
  added(table: string, image: Row): Refusal {
    const { added } = this.#records.rulesOf(table).reasons ?? {};
    return this.#refuse(
      table,
      image,
      (row) => added?.(this.#records.database, row) ?? this.#changed(table, row),
    );
  }

  /** The list has been put into another order since. */
  reordered(table: string, image: Row): Refusal {
    return this.#refuse(table, image, () => 'Cette liste a été rangée autrement depuis.');
  }

  /** @param about the row that the sentence is about, where it is another one */
  #refuse(
    table: string,
    image: Row,
    sentence: (row: Row) => string,
    about?: { readonly table: string; readonly row: Row },
  ): Refusal {
    const row = this.#wholeRow(table, image);
    const owner = ownerOf(row);
    if (owner !== '' && owner !== this.#undoing.utilisateur) return impossible(UNDISCLOSED);
    return impossible(this.#named(about?.table ?? table, about?.row ?? row, sentence(row)));
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
      this.#undoing.later.deletionOf(record.kind.source.table, record.id)?.image[column];
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
    const row =
      readRow(this.#records.database, table, image) ??
      this.#undoing.later.deletionOf(table, image['id'])?.image;
    return { ...row, ...image };
  }
}
