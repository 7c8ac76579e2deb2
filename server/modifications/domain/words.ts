import type { Row, RowChange } from '#shared/change-reader';
import type { Records } from '#server/records/records';
import * as rows from '../store/rows.ts';
import type { LaterActs } from './later-acts.ts';
import type { Reasons } from './reasons.ts';

/** An act to be taken back. */
export interface Undoing {
  readonly steps: readonly RowChange[];
  readonly later: LaterActs;
  readonly reasons: Reasons;
}

/**
 * The words of vocabularies (authors, themes) that an act speaks of. They come and go with what names
 * them: one that is gone comes back under its own id with whatever needs it, unless it has been made
 * again since, and one that others use by now stays (docs/rules.md § 38). Where a person has given another word
 * its text, it cannot.
 */
export class Words {
  readonly #records: Records;
  readonly #later: LaterActs;
  readonly #reasons: Reasons;
  /** The words that the act made or deleted, by table and id. */
  readonly #own = new Map<string, Row>();
  /** The ids of the words that the act names, by table. */
  readonly #named = new Map<string, Set<number>>();

  constructor(records: Records, { steps, later, reasons }: Undoing) {
    this.#records = records;
    this.#later = later;
    this.#reasons = reasons;
    for (const { table, avant, apres } of steps) {
      const image = avant ?? apres;
      if (image !== null && this.isWord(table)) this.#own.set(keyOf(table, image['id']), image);
    }
  }

  isWord(table: string): boolean {
    return this.#records.rulesOf(table).vocabulary !== undefined;
  }

  /** Inserts a word that the act deleted, unless it is there. */
  restore(table: string, image: Row): void {
    if (this.#standing(table, Number(image['id'])) === undefined)
      rows.restoreRow(this.#records.database, table, image);
  }

  /** Deletes a word that the act made, if nothing uses it. */
  remove(table: string, image: Row): void {
    this.#deleteUnused(table, [Number(image['id'])]);
  }

  /** Whether others have named a word since by a text that the act gave it. */
  isNamedSince(table: string, id: unknown, changed: readonly string[]): boolean {
    const unique = this.#records.rulesOf(table).vocabulary?.unique;
    return unique !== undefined && changed.includes(unique) && this.#later.isNamed(table, id);
  }

  /** The image with the ids that its words have now. */
  present(table: string, image: Row): Row {
    return this.#map(table, image, (target, id) => this.#standing(target, id) ?? id);
  }

  /** The same, its words that were gone having come back. */
  restored(table: string, image: Row): Row {
    return this.#map(table, image, (target, id) => {
      const standing = this.#standing(target, id);
      if (standing === undefined) this.#comeBack(target, id);
      else if (standing !== id) this.#requireMadeAgain(target, id, standing);
      return standing ?? id;
    });
  }

  /** Deletes those of the named words that nothing uses any more. */
  deleteUnused(): void {
    for (const [table, ids] of this.#named) this.#deleteUnused(table, [...ids]);
  }

  #map(table: string, image: Row, idOf: (target: string, id: number) => number): Row {
    const mapped: Record<string, unknown> = { ...image };
    for (const { column, target } of this.#records.database.capture.linksOf(table)) {
      const id = image[column];
      if (typeof id !== 'number' || !this.isWord(target)) continue;
      const now = idOf(target, id);
      mapped[column] = now;
      this.#named.set(target, (this.#named.get(target) ?? new Set()).add(now));
    }
    return mapped;
  }

  /** The id of a word now: its own, or that of the one made again since; `undefined` for none. */
  #standing(table: string, id: number): number | undefined {
    const { database } = this.#records;
    if (rows.readRow(database, table, { id }) !== undefined) return id;
    const image = this.#gone(table, id);
    const unique = this.#records.rulesOf(table).vocabulary?.unique;
    if (image === undefined || unique === undefined) return undefined;
    return rows.idByText(database, table, unique, image[unique]);
  }

  #requireMadeAgain(table: string, id: number, standing: number): void {
    const unique = this.#records.rulesOf(table).vocabulary?.unique;
    if (unique !== undefined && this.#later.isRewritten(table, standing, unique))
      throw this.#reasons.violated(table, this.#gone(table, id) ?? {});
  }

  /** A word that is gone, as it was. */
  #gone(table: string, id: number): Row | undefined {
    return this.#later.deletionOf(table, id)?.image ?? this.#own.get(keyOf(table, id));
  }

  /** Inserts a word that is gone, unless it was merged with another one. */
  #comeBack(table: string, id: number): void {
    const deletion = this.#later.deletionOf(table, id);
    if (deletion !== undefined && !deletion.isReplaced)
      rows.restoreRow(this.#records.database, table, deletion.image);
  }

  #deleteUnused(table: string, ids: readonly number[]): void {
    this.#records.rulesOf(table).vocabulary?.deleteUnused(this.#records.database, ids);
  }
}

const keyOf = (table: string, id: unknown): string => `${table} ${String(id)}`;
