import { m } from '#messages';
import { namedInUndoing, type Annulation, type Message } from '#shared/history';
import type { Row, RowChange } from '#shared/change-reader';
import type { Fiche } from '#shared/modifications';
import type { RecordOfRow, Records } from '#server/plumbing/records/records';
import { readRow, ownerOf } from '#server/plumbing/writes/traces';
import type { StoredModification } from './changesets.ts';
import type { Obstacle } from './inverse.ts';

/**
 * The message of an undo about the undone modification.
 *
 * @param autres how many obstacles were undone with it
 */
export function undoMessage(
  { operation, message, fiches }: Pick<StoredModification, 'operation' | 'message' | 'fiches'>,
  autres: number,
  { isOwner }: { readonly isOwner: boolean },
): Message {
  // Undoing an undo restores the modification itself.
  if (isOwner && message.fait === 'annulation')
    return { ...message, autres, retabli: !message.retabli };
  const name = isOwner ? nameOf(fiches, namedInUndoing(operation)) : {};
  return { fait: 'annulation', operation, ...name, autres, retabli: false };
}

/** Empty if the records have no common name. */
function nameOf(
  fiches: readonly Fiche[],
  named: ReturnType<typeof namedInUndoing>,
): Pick<Annulation, 'nom' | 'numero' | 'livres'> {
  const kind = named === 'premier' ? fiches[0]?.collection : named;
  const alike = fiches.filter((fiche) => fiche.collection === kind);
  // A deleted record is named before records of its kind that received its contents.
  const deleted = alike.filter(({ supprimee }) => supprimee);
  const [first, ...others] = deleted.length > 0 ? deleted : alike;
  if (first === undefined) return {};
  if (others.length > 0) return kind === 'livres' ? { livres: 1 + others.length } : {};
  if (first.titre === '') return {};
  const isNumbered = kind === 'numeros' && /^\d/.test(first.titre);
  return isNumbered ? { numero: first.titre } : { nom: first.titre };
}

/** For another person's data, which must not be disclosed. */
const undisclosed = m.reason_autre_chose;
const changedSince = m.reason_touche_modifie;

interface Undoing {
  readonly utilisateur: string | null;
  readonly changes: readonly RowChange[];
  readonly by: RowChange | undefined;
}

/** Explains to one caller why a modification cannot be undone (docs/rules.md § 38). */
export class Reasons {
  readonly #records: Records;
  readonly #undoing: Undoing;

  constructor(records: Records, undoing: Undoing) {
    this.#records = records;
    this.#undoing = undoing;
  }

  of({ why, table, image, raison, lost }: Obstacle): string {
    const row = this.#wholeRow(table, image);
    const owner = ownerOf(row);
    if (owner !== '' && owner !== this.#undoing.utilisateur) return undisclosed();
    const { database } = this.#records;
    const { reasons } = this.#records.rulesOf(table);
    switch (why) {
      case 'changed':
      case 'touched':
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
      case 'gone':
        return this.#gone(lost ?? { table, id: row['id'] });
      case 'named':
      case 'ruleViolated':
        return raison ?? changedSince();
    }
  }

  #kept(row: Row): string {
    const { table, avant } = this.#undoing.by ?? { table: '', avant: null };
    return this.#named(table, avant ?? row, this.#changed(table, avant ?? row));
  }

  #gone({ table, id }: Pick<NonNullable<Obstacle['lost']>, 'table' | 'id'>): string {
    const gone = this.#records.rulesOf(table).reasons?.gone;
    return gone === undefined ? changedSince() : this.#named(table, { id }, gone());
  }

  #changed(table: string, row: Row): string {
    const own = this.#records.rulesOf(table).reasons?.changed;
    if (own !== undefined) return own(this.#records.database, row);
    const record = this.#records.recordOf(table, row);
    if (record === undefined) return changedSince();
    const { changed, deleted } = record.kind.naming;
    const isGone = this.#records.nameOf(record.collection, record.id) === null;
    return isGone ? deleted() : changed();
  }

  /** Adds the name of the sentence's record if the modification touched several of its kind. */
  #named(table: string, row: Row, sentence: string): string {
    const record = this.#recordsOf(table, row).find(({ kind }) =>
      sentence.startsWith(`${kind.naming.subject()} `),
    );
    if (record === undefined || !this.#hasSeveral(record)) return sentence;
    const { column } = record.kind.naming;
    const subject = record.kind.naming.subject();
    const name =
      this.#records.nameOf(record.collection, record.id) ??
      this.#deleted(record.kind.projection.table, record.id)?.[column];
    if (typeof name !== 'string') return sentence;
    return `${subject} ${name}${sentence.slice(subject.length)}`;
  }

  #recordsOf(table: string, row: Row): RecordOfRow[] {
    const links = this.#records.database.capture.foreignKeysOf(table);
    return [
      this.#records.recordOf(table, row),
      ...links.map(({ column, target }) => this.#records.recordOf(target, { id: row[column] })),
    ].filter((record) => record !== undefined);
  }

  #hasSeveral({ collection, id }: RecordOfRow): boolean {
    return this.#undoing.changes.some(({ table, avant, apres }) =>
      this.#recordsOf(table, this.#wholeRow(table, apres ?? avant ?? {})).some(
        (other) => other.collection === collection && other.id !== id,
      ),
    );
  }

  /** An image completed from the row as it is, or was when it was deleted. */
  #wholeRow(table: string, image: Row): Row {
    const row = readRow(this.#records.database, table, image) ?? this.#deleted(table, image['id']);
    return { ...row, ...image };
  }

  #deleted(table: string, id: unknown): Row | undefined {
    const { by } = this.#undoing;
    const isIt = by?.table === table && by.apres === null && by.avant?.['id'] === id;
    return isIt ? (by.avant ?? undefined) : undefined;
  }
}
