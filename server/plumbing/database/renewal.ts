import type { Row } from '#shared/change-reader';
import type { Transaction } from './transaction.ts';

/**
 * Renews the columns of a table that rules compute from a row, where they differ. A value that a
 * unique index refuses stays as it is; a renewed row may free a value for another, so this repeats
 * until nothing changes. Writes nothing where all rows follow the rules (docs/rules.md § 30).
 *
 * @param compute the columns that a row should have
 * @returns whether all rows now have them
 */
export function renewRows<R extends { readonly id: number }>(
  database: Transaction,
  table: string,
  compute: (row: R) => Partial<R>,
): boolean {
  const stale = new Map<number, Row>();
  for (const row of database.prepare<[], R & Row>(`SELECT * FROM ${table}`).iterate()) {
    const wanted: Row = compute(row);
    if (Object.entries(wanted).some(([name, value]) => row[name] !== value))
      stale.set(row.id, wanted);
  }
  let before: number;
  do {
    before = stale.size;
    for (const [id, wanted] of stale) if (tryUpdate(database, table, id, wanted)) stale.delete(id);
  } while (stale.size > 0 && stale.size < before);
  return stale.size === 0;
}

function tryUpdate(database: Transaction, table: string, id: number, values: Row): boolean {
  const assignments = Object.keys(values).map((name) => `${name} = @${name}`);
  const { changes } = database.run(
    `UPDATE OR IGNORE ${table} SET ${assignments.join(', ')} WHERE id = @id`,
    { ...values, id },
  );
  return changes > 0;
}
