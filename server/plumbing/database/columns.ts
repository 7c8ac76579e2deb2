import type { Static, TObject } from 'typebox';
import type { Row } from '#shared/change-reader';
import type { Reader } from './reader.ts';
import type { Transaction } from './transaction.ts';

/** SQL expressions by the name of the column that they give. */
type Expressions = Readonly<Record<string, string>>;

/** Reads the documents of one collection; its table has the alias `d`. */
export interface DocumentSource<D> {
  readonly table: string;
  /** Selects every document; a WHERE or ORDER BY may follow. */
  readonly select: string;
  /** Takes a row of these columns; columns besides are ignored. */
  readonly toDocument: (row: Row) => D;
}

/**
 * Derives the SQL of a document and the mapping of its rows from its schema. A property is the
 * column of its name, unless it has an expression; in SQL lists and objects are JSON texts, and booleans 0 and 1.
 */
export function documentSource<S extends TObject>(
  table: string,
  schema: S,
  expressions: Expressions = {},
): DocumentSource<Static<S>> {
  const names = Object.keys(schema.properties);
  const column = (name: string) => {
    const expression = expressions[name];
    return expression === undefined ? `d.${name}` : `${expression} AS ${name}`;
  };
  const values = names.map((name) => [name, readerOf(schema.properties[name])] as const);
  return {
    table,
    select: `SELECT ${names.map(column).join(', ')} FROM ${table} d`,
    toDocument: (row) => {
      const document: Record<string, unknown> = {};
      for (const [name, read] of values) document[name] = read(row[name]);
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the columns above were made from this schema, and a test reads a row of every table against it
      return document as Static<S>;
    },
  };
}

/** How a value of SQL is read as one of a schema. */
function readerOf(schema: unknown): (value: unknown) => unknown {
  const types = [Reflect.get(Object(schema), 'type')].flat();
  if (types.includes('array') || types.includes('object')) return parseJson;
  return types.includes('boolean') ? (value) => value === 1 : (value) => value;
}

const parseJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);

/** The documents of the rows that the rest of a SELECT chooses, in its order; `d` is their table. */
export const readDocuments = <D>(
  database: Reader,
  { select, toDocument }: DocumentSource<D>,
  rest: string,
  ...params: unknown[]
): D[] => database.all<Row>(`${select} ${rest}`, ...params).map(toDocument);

/** The first of these documents. */
export const readDocument = <D>(
  database: Reader,
  source: DocumentSource<D>,
  rest: string,
  ...params: unknown[]
): D | undefined => readDocuments(database, source, rest, ...params)[0];

/** SQL that makes the JSON object of a schema from the columns of a table's alias. */
export const jsonObject = ({ properties }: TObject, alias: string): string =>
  `json_object(${Object.keys(properties)
    .map((name) => `'${name}', ${alias}.${name}`)
    .join(', ')})`;

/**
 * Inserts a row with a column for each key of `values`, and returns its id.
 *
 * @param expressions columns that SQL computes; these may use the keys of `values` as parameters
 */
export function insertRow(
  database: Transaction,
  table: string,
  values: Row,
  expressions: Expressions = {},
): number {
  const columns = columnsWritten(values, expressions);
  const { lastInsertRowid } = database.run(
    `INSERT INTO ${table} (${columns.join(', ')})
       VALUES (${columns.map((name) => expressions[name] ?? `@${name}`).join(', ')})`,
    values,
  );
  return Number(lastInsertRowid);
}

/**
 * Rewrites the columns of a row named by the keys of `values` and `expressions`. A row that has these
 * values already is not written: its revision stays, and no device is told.
 */
export function updateRow(
  database: Transaction,
  table: string,
  id: number,
  values: Row,
  expressions: Expressions = {},
): void {
  const columns = columnsWritten(values, expressions);
  const wanted = (name: string) => expressions[name] ?? `@${name}`;
  database.run(
    `UPDATE ${table} SET ${columns.map((name) => `${name} = ${wanted(name)}`).join(', ')}
       WHERE id = @id
         AND (${columns.map((name) => `${name} IS NOT ${wanted(name)}`).join(' OR ')})`,
    { ...values, id },
  );
}

const columnsWritten = (values: Row, expressions: Expressions): string[] => [
  ...new Set([...Object.keys(values), ...Object.keys(expressions)]),
];

/** A table whose rows are the entries of a list that a record has, each with its `position`. */
interface ListTable {
  readonly table: string;
  /** The column of the record's id. */
  readonly record: string;
  readonly entry: string;
}

/** The entries of a record's list, in order. */
export const readList = <T extends number | string>(
  database: Reader,
  { table, record, entry }: ListTable,
  id: number,
): T[] =>
  database.values<T>(`SELECT ${entry} FROM ${table} WHERE ${record} = ? ORDER BY position`, id);

/** Replaces the entries of a record's list, given in order; writes nothing where they are the same. */
export function writeList(
  database: Transaction,
  list: ListTable,
  id: number,
  entries: readonly (number | string)[],
): void {
  const { table, record } = list;
  const present = readList<number | string>(database, list, id);
  if (present.length === entries.length && present.every((each, i) => each === entries[i])) return;
  if (present.length > 0) database.run(`DELETE FROM ${table} WHERE ${record} = ?`, id);
  insertList(database, list, id, entries);
}

/** Gives a new record the entries of a list, in order. */
export function insertList(
  database: Transaction,
  { table, record, entry }: ListTable,
  id: number,
  entries: readonly (number | string)[],
): void {
  const sql = `INSERT INTO ${table} (${record}, ${entry}, position) VALUES (?, ?, ?)`;
  entries.forEach((each, position) => database.run(sql, id, each, position));
}
