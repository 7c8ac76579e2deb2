import type { Row } from '#shared/change-reader';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

const conditionOf = (names: readonly string[]): string =>
  names.map((name) => `"${name}" IS @${name}`).join(' AND ');

export function readRow(database: Reader, table: string, image: Row): Row | undefined {
  const { capture } = database;
  const key = capture.keyColumnsOf(table);
  // Named, since `*` would also give what the schema computes.
  const columns = capture.columnsOf(table).map((name) => `"${name}"`);
  return database.get<Row>(
    `SELECT ${columns.join(', ')} FROM "${table}" WHERE ${conditionOf(key)}`,
    pick(image, key),
  );
}

export function restoreRow(database: Transaction, table: string, image: Row): void {
  const columns = database.capture.columnsOf(table).filter((name) => name in image);
  database.run(
    `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')})
       VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
    pick(image, columns),
  );
}

/** Gives the row with the key of `from` the columns of `to`. */
export function rewriteRow(database: Transaction, table: string, from: Row, to: Row): void {
  const key = database.capture.keyColumnsOf(table);
  const columns = Object.keys(to);
  database.run(
    `UPDATE "${table}" SET ${columns.map((name) => `"${name}" = @to_${name}`).join(', ')}
       WHERE ${conditionOf(key)}`,
    {
      ...Object.fromEntries(columns.map((name) => [`to_${name}`, to[name]])),
      ...pick(from, key),
    },
  );
}

export function removeRow(database: Transaction, table: string, image: Row): void {
  const key = database.capture.keyColumnsOf(table);
  database.run(`DELETE FROM "${table}" WHERE ${conditionOf(key)}`, pick(image, key));
}

export const rowsLeadingTo = (database: Reader, table: string, column: string, id: number): Row[] =>
  database.all<Row>(`SELECT * FROM "${table}" WHERE "${column}" = ?`, id);

/** A row that has unique values which another one would need, and their columns. */
interface Rival {
  readonly row: Row;
  readonly columns: readonly string[];
}

/** The rows whose unique values prevent a row from being as an image has it. */
export function rivalsOf(database: Reader, table: string, image: Row): Rival[] {
  const { capture } = database;
  const names = capture.columnsOf(table);
  const values = wholeImage(database, table, image);
  const row = names.map((name) => `@${name} AS "${name}"`).join(', ');
  return capture
    .uniquesOf(table)
    .flatMap(({ terms, where, columns }) =>
      database
        .all<Row>(
          `SELECT * FROM "${table}" WHERE (${terms}) = (SELECT ${terms} FROM (SELECT ${row})) AND ${where}`,
          values,
        )
        .map((rival) => ({ row: rival, columns })),
    );
}

/** An image with the columns that a step leaves out, as its row has them now. */
const wholeImage = (database: Reader, table: string, image: Row): Row =>
  pick({ ...readRow(database, table, image), ...image }, database.capture.columnsOf(table));

export const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
