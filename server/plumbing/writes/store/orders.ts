import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** A table whose rows stand in lists: the column of the list, and those by which it is sorted. */
interface OrderedTable {
  readonly table: string;
  readonly parent: string;
  readonly columns: readonly string[];
}

/** The elements of a list that are rows of a table. */
export const listElements = (
  database: Reader,
  { table, parent, columns }: OrderedTable,
  of: string | number | null,
): { readonly id: number; readonly at: number }[] =>
  database.all<{ id: number; at: number }>(
    `SELECT id, ${columns.length > 1 ? `coalesce(${columns.join(', ')})` : columns.join('')} AS at
       FROM "${table}" WHERE "${parent}" IS ?`,
    of,
  );

/** Gives an element its position; one that it has already is not written. */
export const writePosition = (
  database: Transaction,
  { table, columns }: Pick<OrderedTable, 'table' | 'columns'>,
  id: number,
  at: number,
): void => {
  database.run(
    `UPDATE "${table}" SET ${columns.map((name) => `"${name}" = @at`).join(', ')}
       WHERE id = @id AND (${columns.map((name) => `"${name}" IS NOT @at`).join(' OR ')})`,
    { id, at },
  );
};

/** Ranks one person's list from 1 in its order; a row that keeps its rank is not written. */
export function renumber(
  database: Transaction,
  { table, parent }: Pick<OrderedTable, 'table' | 'parent'>,
  of: string | number | null,
): void {
  // A row that was deleted before there was an order stands before the one that has its rank by now.
  const key = 'coalesce(ordre, rang - 0.5)';
  database.run(
    `UPDATE "${table}" SET rang = next, ordre = key
       FROM (SELECT id AS rowId, ${key} AS key, row_number() OVER (ORDER BY ${key}, id) AS next
             FROM "${table}" WHERE "${parent}" = ?)
       WHERE id = rowId AND (rang <> next OR ordre IS NULL)`,
    of,
  );
}
