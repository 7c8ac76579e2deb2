import type { Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import type { Step } from '#server/database/trace';
import { isAnyViolation } from '#server/database/violations';
import { deleteUnused } from '#server/auteurs/store/auteurs';
import { deleteUnusedThemes } from '#server/revues/store/themes';
import * as rows from '../store/rows.ts';
import { changedColumns, isEmptying } from './changes.ts';
import { RankedLists } from './ranked-lists.ts';
import type { Reasons } from './reasons.ts';

/** Tables whose rows exist only while something refers to them, and their unique column. */
const VOCABULARIES: Readonly<Record<string, string>> = {
  Auteur: 'cleRegroupement',
  Theme: 'nomNormalise',
};

/** The columns that refer to these tables. */
const REFERENCES: Readonly<Record<string, string>> = {
  auteurId: 'Auteur',
  premierId: 'Auteur',
  secondId: 'Auteur',
  themeId: 'Theme',
};

/**
 * Takes the steps of an act back, the last one first, each on the row as the act left it. Ranks of
 * wishes are written at the end. An author or a theme that others use by now stays; where one was
 * deleted and made again since, the new one is used (docs/rules.md § 38).
 */
export class Replay {
  /** The keys of the rows that were written, as `rowKey` gives them. */
  readonly touched = new Set<string>();
  readonly #database: Database;
  readonly #reasons: Reasons;
  readonly #lists: RankedLists;
  /** « table id » of a vocabulary's record → the id that stands for it now. */
  readonly #successors = new Map<string, number>();
  readonly #auteurs = new Set<number>();
  #themes = false;

  constructor(database: Database, steps: readonly Step[], reasons: Reasons) {
    this.#database = database;
    this.#reasons = reasons;
    this.#lists = new RankedLists(database, steps, reasons);
  }

  run(steps: readonly Step[]): void {
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
    deleteUnused(this.#database, [...this.#auteurs]);
    if (this.#themes) deleteUnusedThemes(this.#database);
  }

  #takeBack({ table, avant, apres }: Step): void {
    this.#note(table, avant, apres);
    if (avant === null && apres !== null) this.#remove(table, apres);
    else if (apres === null && avant !== null) this.#restore(table, avant);
    else if (avant !== null && apres !== null) this.#rewrite(table, avant, apres);
  }

  #remove(table: string, image: Row): void {
    if (table in VOCABULARIES) {
      this.#removeUnused(table, image);
      return;
    }
    const present = rows.readRow(this.#database, table, image);
    const ranked = RankedLists.isRanked(this.#database, table);
    if (present === undefined || !isAsLeft(present, image, ranked))
      throw this.#reasons.changed(table, image, present);
    rows.removeRow(this.#database, table, image);
  }

  #removeUnused(table: string, image: Row): void {
    if (table === 'Auteur') deleteUnused(this.#database, [Number(image['id'])]);
    else deleteUnusedThemes(this.#database);
  }

  #restore(table: string, image: Row): void {
    const unique = VOCABULARIES[table];
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
      throw this.#reasons.changed(table, apres, present);
    const image = this.#withoutLostLink(table, pick(avant, names));
    rows.rewriteRow(this.#database, table, apres, image);
  }

  /** The image with its links to deleted records set to null, as `ON DELETE SET NULL` would have. */
  #withoutLostLink(table: string, image: Row): Row {
    const lost = this.#database.trace.looseLinksOf(table).filter(({ column, target }) => {
      const id = image[column];
      return typeof id === 'number' && !rows.readRow(this.#database, target, { id });
    });
    const emptied: Row = Object.fromEntries(lost.map(({ column }) => [column, null]));
    return { ...image, ...emptied };
  }

  /** The image with the ids of authors and themes that have come back under other ids. */
  #renamed(image: Row): Row {
    if (this.#successors.size === 0) return image;
    return Object.fromEntries(
      Object.entries(image).map(([name, value]) => {
        const table = REFERENCES[name];
        return [name, (table && this.#successors.get(`${table} ${String(value)}`)) ?? value];
      }),
    );
  }

  #note(table: string, avant: Row | null, apres: Row | null): void {
    for (const image of [avant, apres]) {
      if (image === null) continue;
      this.touched.add(rows.rowKey(this.#database, table, image));
      for (const name of ['auteurId', 'premierId', 'secondId'])
        if (typeof image[name] === 'number') this.#auteurs.add(image[name]);
      if ('themeId' in image) this.#themes = true;
    }
  }
}

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name]]));

const isAsLeft = (present: Row, image: Row, ranked: boolean): boolean =>
  Object.keys(image).every((name) => present[name] === image[name] || (ranked && name === 'rang'));
