import type { Row } from '#shared/change-reader';
import type { Database } from '#server/database/database';

const conditionOf = (names: readonly string[]): string =>
  names.map((name) => `"${name}" IS @${name}`).join(' AND ');

/** The present row with the key of an image; `undefined` where there is none. */
export function readRow(database: Database, table: string, image: Row): Row | undefined {
  const { capture } = database;
  const key = capture.keyOf(table);
  // Named, because `*` would give what the schema computes, too.
  const columns = capture.columnsOf(table).map((name) => `"${name}"`);
  const row = database.get<Row>(
    `SELECT ${columns.join(', ')} FROM "${table}" WHERE ${conditionOf(key)}`,
    pick(image, key),
  );
  return row && toImage(database, table, row);
}

/** The links of an image whose rows are not there. */
export const lostLinks = (database: Database, table: string, image: Row) =>
  database.capture.linksOf(table).filter(({ column, target }) => {
    const id = image[column];
    return typeof id === 'number' && readRow(database, target, { id }) === undefined;
  });

/** Inserts a row as it was, its id included. */
export function restoreRow(database: Database, table: string, image: Row): void {
  const columns = database.capture.columnsOf(table).filter((name) => name in image);
  database.run(
    `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`).join(', ')})
       VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
    toRow(database, table, pick(image, columns)),
  );
}

/** Gives the row with the key of `from` the columns of `to`. */
export function rewriteRow(database: Database, table: string, from: Row, to: Row): void {
  const key = database.capture.keyOf(table);
  const columns = Object.keys(to);
  const values = toRow(database, table, to);
  database.run(
    `UPDATE "${table}" SET ${columns.map((name) => `"${name}" = @to_${name}`).join(', ')}
       WHERE ${conditionOf(key)}`,
    {
      ...Object.fromEntries(columns.map((name) => [`to_${name}`, values[name]])),
      ...pick(from, key),
    },
  );
}

export function removeRow(database: Database, table: string, image: Row): void {
  const key = database.capture.keyOf(table);
  database.run(`DELETE FROM "${table}" WHERE ${conditionOf(key)}`, pick(image, key));
}

/** Ranks one person's list from 1 in its order; a row that keeps its rank is not written. */
export function renumber(database: Database, table: string, utilisateur: string): void {
  // A row that was deleted before there was an order stands before the one that has its rank by now.
  const key = 'coalesce(ordre, rang - 0.5)';
  database.run(
    `UPDATE "${table}" SET rang = next, ordre = key
       FROM (SELECT id AS rowId, ${key} AS key, row_number() OVER (ORDER BY ${key}, id) AS next
             FROM "${table}" WHERE utilisateur = ?)
       WHERE id = rowId AND (rang <> next OR ordre IS NULL)`,
    utilisateur,
  );
}

/** The id of the row that has a unique text; `undefined` where none has it. */
export const idByText = (
  database: Database,
  table: string,
  column: string,
  text: unknown,
): number | undefined =>
  database.value<number>(`SELECT id FROM "${table}" WHERE "${column}" = ?`, text);

const pick = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));

/** A row as its image has it: bytes as hexadecimal text. */
const toImage = (database: Database, table: string, row: Row): Row => ({
  ...row,
  ...mapColumns(row, database.capture.bytesOf(table), (value) =>
    Buffer.isBuffer(value) ? value.toString('hex').toUpperCase() : value,
  ),
});

/** An image as its row has it. */
const toRow = (database: Database, table: string, image: Row): Row => ({
  ...image,
  ...mapColumns(image, database.capture.bytesOf(table), (value) =>
    typeof value === 'string' ? Buffer.from(value, 'hex') : value,
  ),
});

const mapColumns = (row: Row, names: readonly string[], map: (value: unknown) => unknown): Row =>
  Object.fromEntries(names.filter((name) => name in row).map((name) => [name, map(row[name])]));
