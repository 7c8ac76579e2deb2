import { m } from '#messages';
import { collectionNames } from '#shared/collection-names';
import { collections } from '#shared/collections';
import { objectKeys } from '#shared/object-keys';
import { FORMATS } from '#server/plumbing/common/schemas';
import type { Reader } from '#server/plumbing/database/connection';
import { impossibleCells } from './impossible-cells.ts';
import { kinds, tables } from './kinds.ts';

/** SQL conditions for texts that are no date, by the date's format. */
const IS_NO_DATE = {
  'date-time': (column: string) =>
    `strftime('%Y-%m-%dT%H:%M', ${column}) IS NOT substr(${column}, 1, 16)`,
  date: (column: string) => `date(${column}) IS NOT ${column}`,
  'partial-date': (column: string) => {
    const whole = `${column} || substr('-01-01', length(${column}) - 3)`;
    return `date(${whole}) IS NOT ${whole}`;
  },
} as const;

const DATES = objectKeys(IS_NO_DATE);
const CODES = ['isbn', 'issn'] as const;

const MAX_IDS = 5;

/**
 * Warnings about stored values with an impossible type, day or code, as earlier archives and other programs wrote
 * them (docs/rules.md § 30, 41).
 */
export function findImpossibleValues(database: Reader): string[] {
  const dates = columnsOf(database, DATES).flatMap(({ table, column, format }) =>
    describe(
      table,
      column,
      database.values<number>(
        `SELECT rowid FROM ${table} WHERE ${column} IS NOT NULL AND ${IS_NO_DATE[format](column)}`,
      ),
    ),
  );
  const codes = columnsOf(database, CODES).flatMap(({ table, column, format }) => {
    const rows = database.prepare<[], { id: number; code: string }>(
      `SELECT rowid AS id, CAST(${column} AS TEXT) AS code FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    const isCode = FORMATS[format].is;
    const ids: number[] = [];
    for (const { id, code } of rows.iterate()) if (!isCode(code)) ids.push(id);
    return describe(table, column, ids);
  });
  const cells = Map.groupBy(
    impossibleCells(database, Object.keys(tables)),
    ({ table, colonne }) => `${table}.${colonne}`,
  );
  const types = [...cells.values()].flatMap((found) => {
    const [{ table, colonne } = { table: '', colonne: '' }] = found;
    return describe(
      table,
      colonne,
      found.map(({ ligne }) => ligne),
    );
  });
  return [
    [m.operator_start_impossible_cells, types] as const,
    [m.operator_start_impossible_dates, dates] as const,
    [m.operator_start_impossible_codes, codes] as const,
  ].flatMap(([say, places]) =>
    places.length === 0
      ? []
      : [say({ places: places.reduce((one, other) => m.reason_puis({ one, other })) })],
  );
}

/** The columns of all tables with one of these formats. */
function columnsOf<F extends string>(
  database: Reader,
  formats: readonly F[],
): { table: string; column: string; format: F }[] {
  return collectionNames.flatMap((name) => {
    const { table } = kinds[name].projection;
    const present = new Set(
      database.values<string>('SELECT name FROM pragma_table_info(?)', table),
    );
    return Object.entries(collections[name].document.properties).flatMap(([column, schema]) => {
      const format = formats.find((one) => one === Reflect.get(schema, 'format'));
      return format === undefined || !present.has(column) ? [] : [{ table, column, format }];
    });
  });
}

function describe(table: string, column: string, ids: readonly (number | string)[]): string[] {
  if (ids.length === 0) return [];
  const place = { column: `${table}.${column}`, ids: ids.slice(0, MAX_IDS).join(', ') };
  const more = ids.length - MAX_IDS;
  return [
    more > 0 ? m.operator_start_place_more({ ...place, more }) : m.operator_start_place(place),
  ];
}
