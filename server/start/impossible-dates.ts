import { collectionNames, collections } from '#shared/collections';
import { objectKeys } from '#shared/object-keys';
import type { Reader } from '#server/plumbing/database/connection';
import { kinds } from './kinds.ts';

/** By the format of a date: SQL that holds for a column whose text is none. */
const IS_WRONG = {
  'date-time': (column: string) =>
    `strftime('%Y-%m-%dT%H:%M', ${column}) IS NOT substr(${column}, 1, 16)`,
  date: (column: string) => `date(${column}) IS NOT ${column}`,
  'partial-date': (column: string) => {
    const whole = `${column} || substr('-01-01', length(${column}) - 3)`;
    return `date(${whole}) IS NOT ${whole}`;
  },
} as const;

const MAX_IDS = 5;

/** What whoever starts the service reads of stored dates that cannot be, as archives brought before (docs/rules.md § 41). */
export function findImpossibleDates(database: Reader): string[] {
  const found = collectionNames.flatMap((name) => {
    const { table } = kinds[name].source;
    const columns = new Set(
      database.values<string>('SELECT name FROM pragma_table_info(?)', table),
    );
    return Object.entries(collections[name].document.properties).flatMap(([column, schema]) => {
      const format = objectKeys(IS_WRONG).find((one) => one === Reflect.get(schema, 'format'));
      if (format === undefined || !columns.has(column)) return [];
      const ids = database.values<number>(
        `SELECT rowid FROM ${table} WHERE ${column} IS NOT NULL AND ${IS_WRONG[format](column)}`,
      );
      if (ids.length === 0) return [];
      const more = ids.length > MAX_IDS ? ` et ${ids.length - MAX_IDS} autres` : '';
      return [`${table}.${column} (n° ${ids.slice(0, MAX_IDS).join(', ')}${more})`];
    });
  });
  return found.length === 0
    ? []
    : [
        `Dates impossibles, montrées telles qu’elles sont : ${found.join(' ; ')}. Elles se corrigent dans leur fiche.`,
      ];
}
