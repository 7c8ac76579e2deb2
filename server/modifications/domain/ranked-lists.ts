import type { Row } from '#server/database/columns';
import type { Database } from '#server/database/database';
import type { RowChange } from '#shared/change-reader';
import { rankedRows, writeRanks } from '../store/rows.ts';
import { ownerOf } from '#server/writes/change-set';
import type { Reasons } from './reasons.ts';

/** One person's list as an act changed it. */
interface List {
  readonly table: string;
  readonly utilisateur: string;
  /** True where rows were added or deleted: the other ranks only made room for them. */
  hasMembers: boolean;
  readonly restored: { readonly id: number; readonly rang: number }[];
  /** The ranks of rows that the act moved, by id. */
  readonly moved: Map<number, { avant: number; apres: number }>;
}

/**
 * The wish lists that an act changed, whose ranks run from 1 without holes. A deleted wish comes back at
 * its rank and those behind it move down; a rearranged list gets its former order, unless somebody has
 * rearranged it again.
 */
export class RankedLists {
  readonly #database: Database;
  readonly #reasons: Reasons;
  readonly #lists = new Map<string, List>();

  constructor(database: Database, steps: readonly RowChange[], reasons: Reasons) {
    this.#database = database;
    this.#reasons = reasons;
    for (const { table, avant, apres } of steps) {
      if (!RankedLists.isRanked(database, table)) continue;
      const list = this.#listOf(table, ownerOf(apres ?? avant));
      if (avant === null || apres === null) list.hasMembers = true;
    }
  }

  static isRanked(database: Database, table: string): boolean {
    const columns = database.capture.columnsOf(table);
    return columns.includes('rang') && columns.includes('utilisateur');
  }

  noteRestored(table: string, { id, rang, ...rest }: Row): void {
    if (typeof rang !== 'number' || !RankedLists.isRanked(this.#database, table)) return;
    this.#listOf(table, ownerOf(rest)).restored.push({ id: Number(id), rang });
  }

  /** To be called in the order in which steps are taken back: the last move of a row first. */
  noteMoved(table: string, avant: Row, apres: Row): void {
    if (typeof avant['rang'] !== 'number' || typeof apres['rang'] !== 'number') return;
    const { moved } = this.#listOf(table, ownerOf(apres));
    const id = Number(apres['id']);
    moved.set(id, { avant: avant['rang'], apres: moved.get(id)?.apres ?? apres['rang'] });
  }

  /** Writes the ranks. Throws where somebody has rearranged the list since the act. */
  settle(): void {
    for (const list of this.#lists.values()) {
      const { table, utilisateur } = list;
      const present = rankedRows(this.#database, table, utilisateur);
      const ids = list.hasMembers ? withRestored(list, present) : this.#ordered(list, present);
      writeRanks(this.#database, table, ids);
    }
  }

  #ordered({ moved, utilisateur }: List, present: readonly { id: number; rang: number }[]) {
    const left = present.flatMap(({ id }) => moved.get(id)?.apres ?? []);
    if (left.some((rang, index) => rang < (left[index - 1] ?? 0)))
      throw this.#reasons.reordered(utilisateur);
    const key = (row: { id: number; rang: number }) => moved.get(row.id)?.avant ?? row.rang;
    return [...present]
      .sort((a, b) => key(a) - key(b) || Number(moved.has(b.id)) - Number(moved.has(a.id)))
      .map(({ id }) => id);
  }

  #listOf(table: string, utilisateur: string): List {
    const key = `${table}\n${utilisateur}`;
    const list = this.#lists.get(key) ?? {
      table,
      utilisateur,
      hasMembers: false,
      restored: [],
      moved: new Map(),
    };
    this.#lists.set(key, list);
    return list;
  }
}

/** The ids of a list with the restored ones at their ranks, the others in their order. */
function withRestored({ restored }: List, present: readonly { id: number }[]): number[] {
  const back = new Set(restored.map(({ id }) => id));
  const ids = present.map(({ id }) => id).filter((id) => !back.has(id));
  for (const { id, rang } of [...restored].sort((a, b) => a.rang - b.rang))
    ids.splice(Math.min(rang - 1, ids.length), 0, id);
  return ids;
}
