import { Refusal } from '#shared/refusals';
import type { Row } from '#server/database/columns';
import type { Records } from '#server/records/records';
import { lostLinks } from '../store/rows.ts';
import { ownerOf } from '#server/writes/change-set';

/** The refusal of an undoing, with what stands in its way. */
export const impossible = (raison: string): Refusal<'ANNULATION_IMPOSSIBLE'> =>
  new Refusal('ANNULATION_IMPOSSIBLE', { raison });

/** For what belongs to another person: it must not say what stands in the way. */
const UNDISCLOSED = 'Cette modification ne peut plus être annulée.';
const CHANGED = 'Ce qu’elle touche a été modifié depuis.';

/** Says what stands in the way of an undoing, to one caller (docs/rules.md § 38). */
export class Reasons {
  readonly #records: Records;
  readonly #utilisateur: string | null;
  /** The tables of records of which the act touched several, which then have to be named. */
  readonly #several: ReadonlySet<string>;

  constructor(records: Records, utilisateur: string | null, several: ReadonlySet<string>) {
    this.#records = records;
    this.#utilisateur = utilisateur;
    this.#several = several;
  }

  /** The row is not as the act left it: it was rewritten or deleted since. */
  changed(table: string, image: Row): Refusal {
    return this.#refuse(image, () => this.#changed(table, image));
  }

  /** A constraint of the database does not allow the row beside what has been added since. */
  violated(table: string, image: Row): Refusal {
    return this.#refuse(image, () => {
      const { database } = this.#records;
      const lost = lostLinks(database, table, image).find(({ isLoose }) => isLoose === 0);
      const gone = lost && this.#records.rulesOf(lost.target).reasons?.gone;
      if (gone !== undefined) return `${gone} depuis.`;
      return (
        this.#records.rulesOf(table).reasons?.taken?.(database, image) ??
        this.#changed(table, image)
      );
    });
  }

  /** A row that the act did not touch would be deleted or changed along with it. */
  added(table: string, row: Row): Refusal {
    return this.#refuse(
      row,
      () => this.#records.rulesOf(table).reasons?.added?.(this.#records.database, row) ?? CHANGED,
    );
  }

  /** The list has been put into another order since. */
  reordered(utilisateur: string): Refusal {
    return this.#refuse({ utilisateur }, () => 'Cette liste a été rangée autrement depuis.');
  }

  #refuse(row: Row, raison: () => string): Refusal {
    const owner = ownerOf(row);
    const isHidden = owner !== '' && owner !== this.#utilisateur;
    return impossible(isHidden ? UNDISCLOSED : raison());
  }

  #changed(table: string, image: Row): string {
    const own = this.#records.rulesOf(table).reasons?.changed;
    if (own !== undefined) return own(this.#records.database, image);
    const record = this.#records.recordOf(table, image);
    if (record === undefined) return CHANGED;
    const { source, naming } = record.kind;
    const name = this.#records.nameOf(record.collection, record.id);
    const told = name ?? image[naming.column];
    const isNamed = this.#several.has(source.table) && typeof told === 'string';
    const [who, ending] = isNamed ? [told, ''] : [naming.subject, naming.ending];
    return `${who} a été ${name === null ? 'supprimé' : 'modifié'}${ending} depuis.`;
  }
}
