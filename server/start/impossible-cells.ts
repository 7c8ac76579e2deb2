import type { Reader } from '#server/plumbing/database/connection';
import { tables } from './kinds.ts';

/** Ten times the longest text that the service accepts. */
const MAX_TEXT_BYTES = 400_000;

/** The columns of JSON that no constraint guards. */
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  Modification: ['fiches', 'avec', 'arguments'],
  Importation: ['headers', 'colonnes', 'counts'],
  ImportationColonnes: ['colonnes'],
  ImportationReste: ['content'],
  ImportationLigne: ['content', 'cells'],
  Trace: ['avant', 'apres'],
  Dormant: ['image'],
  IdempotencyRecord: ['headers', 'arguments'],
  CleAcces: ['transports'],
};

export interface Cell {
  readonly table: string;
  /** The row's key, as SQL writes it. */
  readonly ligne: string;
  readonly colonne: string;
}

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
}

/** The farthest moment that a date of JavaScript has, in milliseconds; no id, count or size is larger. */
const MAX_INTEGER = 8_640_000_000_000_000;

/** SQL conditions for values that a column of a declared type never has; SQLite itself accepts any. */
const IS_IMPOSSIBLE: Readonly<Record<string, (column: string) => string>> = {
  TEXT: (column) => `typeof(${column}) NOT IN ('text', 'null')`,
  INTEGER: (column) =>
    `typeof(${column}) NOT IN ('integer', 'null') OR ${column} NOT BETWEEN -${MAX_INTEGER} AND ${MAX_INTEGER}`,
  BLOB: (column) => `typeof(${column}) NOT IN ('blob', 'null')`,
};

/** Yields the cells with a value of another type than their column, too long or large, or with invalid JSON. */
export function* impossibleCells(database: Reader, names: readonly string[]): Generator<Cell> {
  for (const table of names) {
    const columns = database.all<Column>('SELECT name, type, pk FROM pragma_table_info(?)', table);
    const keys = columns.filter(({ pk }) => pk > 0);
    const key = keys.map(({ name }) => `quote("${name}")`).join(" || ', ' || ");
    const cases = columns.flatMap(({ name, type }) => {
      const column = `"${name}"`;
      const conditions = [IS_IMPOSSIBLE[type]?.(column) ?? 'FALSE'];
      if (type === 'TEXT' && table in tables)
        conditions.push(`length(CAST(${column} AS BLOB)) > ${MAX_TEXT_BYTES}`);
      if (JSON_COLUMNS[table]?.includes(name))
        conditions.push(`(${column} IS NOT NULL AND NOT json_valid(${column}))`);
      return [`WHEN ${conditions.join(' OR ')} THEN '${name}'`];
    });
    yield* database
      .prepare<
        [],
        Cell
      >(`SELECT * FROM (SELECT '${table}' AS "table", ${key || 'rowid'} AS ligne, CASE ${cases.join(' ')} END AS colonne
           FROM "${table}") WHERE colonne IS NOT NULL`)
      .iterate();
  }
}
