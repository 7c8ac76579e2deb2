import type { Static, TObject } from 'typebox';
import Sqlite from 'better-sqlite3';
import type { Row } from '#shared/change-reader';
import { parseIsbn } from '#shared/isbn';
import type { Refusal } from '#shared/refusals';
import { storedLine } from '#shared/text';
import type { Reader, Transaction } from './connection.ts';

type Expressions = Readonly<Record<string, string>>;

/** How documents are read from the rows of a table, which has the alias `d`. */
export interface DocumentProjection<D> {
  readonly table: string;
  readonly select: string;
  /** Turns a row of `select` into the document itself, without a second object per book. */
  readonly toDocument: (row: Record<string, unknown>) => D;
  /** Selects `id` and the document as a `json` text: long responses are assembled from these texts. */
  readonly selectJson: string;
}

/**
 * Each property is the column of its name unless it has an expression. SQL gives lists and objects as JSON texts, and
 * booleans as 0 and 1.
 *
 * @param joins other tables that the expressions read; each row of `d` has to stay one row
 */
export function documentProjection<S extends TObject>(
  table: string,
  schema: S,
  expressions: Expressions = {},
  joins = '',
): DocumentProjection<Static<S>> {
  const names = Object.keys(schema.properties);
  const expressionOf = (name: string) => expressions[name] ?? `d.${name}`;
  const columns = names.map((name) => `${expressionOf(name)} AS ${name}`);
  const values = names.map((name) => [name, readerOf(schema.properties[name])] as const);
  const from = `FROM ${table} d ${joins}`;
  const json = names.map(
    (name) => `'${name}', ${jsonOf(schema.properties[name], expressionOf(name))}`,
  );
  return {
    table,
    select: `SELECT ${columns.join(', ')} ${from}`,
    selectJson: `SELECT ${expressionOf('id')} AS id, json_object(${json.join(', ')}) AS json ${from}`,
    toDocument: (row) => {
      for (const [name, read] of values) row[name] = read(row[name]);
      // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- the columns above were made from this schema, and a test reads a row of every table against it
      return row as Static<S>;
    },
  };
}

/**
 * SQLite allocates a text per row, and a hundred thousand books are kept in memory: enumeration values become the
 * schema's strings, and a value equal to the previous row's reuses that one.
 */
function readerOf(schema: unknown): (value: unknown) => unknown {
  const types = typesOf(schema);
  if (isNested(types)) return keepingLast(parseJson);
  const words: unknown[] = [Reflect.get(Object(schema), 'enum') ?? []].flat();
  if (words.length > 0) return (value) => words.find((word) => word === value) ?? value;
  if (types.includes('boolean')) return (value) => value === 1;
  return types.includes('string') ? keepingLast(toText) : keepingLast((value) => value);
}

/** SQLite keeps bytes where a text belongs, as another program may write them: they are shown as text, and stay. */
const toText = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString() : value);

const typesOf = (schema: unknown): unknown[] => [Reflect.get(Object(schema), 'type')].flat();

const isNested = (types: readonly unknown[]): boolean =>
  types.includes('array') || types.includes('object');

function jsonOf(schema: unknown, expression: string): string {
  const types = typesOf(schema);
  if (isNested(types)) return `json(${expression})`;
  if (types.includes('boolean')) return `json(iif(${expression}, 'true', 'false'))`;
  return types.includes('string') ? asText(expression) : expression;
}

/** JSON cannot contain bytes: SQLite would fail. */
export const asText = (expression: string): string => `CAST(${expression} AS TEXT)`;

function keepingLast(read: (value: unknown) => unknown): (value: unknown) => unknown {
  let [last, value]: unknown[] = [null, read(null)];
  return (given) => {
    if (given !== last) [last, value] = [given, read(given)];
    return value;
  };
}

const parseJson = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);

/** `rest` follows FROM: conditions and order, with `d` as the table. */
export const readDocuments = <D>(
  database: Reader,
  { select, toDocument }: DocumentProjection<D>,
  rest: string,
  ...params: unknown[]
): D[] => database.all<Row>(`${select} ${rest}`, ...params).map(toDocument);

export const readDocument = <D>(
  database: Reader,
  projection: DocumentProjection<D>,
  rest: string,
  ...params: unknown[]
): D | undefined => readDocuments(database, projection, rest, ...params)[0];

/** A JSON list of documents as bytes: SQLite builds it in half the time of one object each. */
export function readJson(
  database: Reader,
  { selectJson }: DocumentProjection<unknown>,
  rest: string,
  params: Row,
): Buffer {
  const sql = `SELECT CAST('[' || group_concat(json) || ']' AS BLOB) FROM (${selectJson} ${rest})`;
  // NULL without any row.
  return database.value<Buffer | null>(sql, params) ?? Buffer.from('[]');
}

export const jsonObject = ({ properties }: TObject, alias: string): string =>
  `json_object(${Object.keys(properties)
    .map((name) => {
      const column = `${alias}.${name}`;
      return `'${name}', ${typesOf(properties[name]).includes('string') ? asText(column) : column}`;
    })
    .join(', ')})`;

/**
 * Inserts a row and returns its id.
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
  const texts = columns.map((name) => expressions[name] ?? `@${name}`);
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${texts.join(', ')})`;
  return Number(database.run(sql, values).lastInsertRowid);
}

/** Updates a row. An unchanged row is not written, so that its revision stays and devices are not notified. */
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

/**
 * Updates rows in one statement, like `updateRow`; all or none if a constraint refuses one.
 *
 * @param columns given by each row in this order, after its id
 * @param list for rows without an id of their own
 */
export function updateRows(
  database: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly [id: number, ...values: unknown[]])[],
  list?: RowsOfList,
): void {
  const names = columnsWritten(Object.fromEntries(columns.map((name) => [name, null])));
  const given = names.map((name, nth) => `value ->> ${nth + 1} AS "${name}"`);
  database.run(
    `UPDATE "${table}" SET ${names.map((name) => `"${name}" = wanted."${name}"`).join(', ')}
       FROM (SELECT value ->> 0 AS id, ${given.join(', ')} FROM json_each(?)) AS wanted
       WHERE "${table}"."${list?.element ?? 'id'}" = wanted.id
         AND ${list === undefined ? 'TRUE' : `"${table}"."${list.parent}" = ?`}
         AND (${names.map((name) => `"${table}"."${name}" IS NOT wanted."${name}"`).join(' OR ')})`,
    JSON.stringify(rows),
    ...(list === undefined ? [] : [list.of]),
  );
}

/** Rows without an id, identified by a column within one list. */
interface RowsOfList {
  readonly element: string;
  readonly parent: string;
  readonly of: number | string | null;
}

/** Throws for an invalid column name: the last guard against SQL injection by keys from outside. */
function columnsWritten(values: Row, expressions: Expressions = {}): string[] {
  const names = new Set([...Object.keys(values), ...Object.keys(expressions)]);
  for (const name of names) if (!/^\w+$/.test(name)) throw new Error('no name of a column');
  return [...names];
}

interface ListTable {
  readonly table: string;
  readonly record: string;
  readonly entry: string;
}

export const readList = <T extends number | string>(
  database: Reader,
  { table, record, entry }: ListTable,
  id: number,
): T[] =>
  database.values<T>(`SELECT ${entry} FROM ${table} WHERE ${record} = ? ORDER BY position`, id);

/** Replaces the entries of a record's list; writes nothing where they are the same. */
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

export function insertList(
  database: Transaction,
  { table, record, entry }: ListTable,
  id: number,
  entries: readonly (number | string)[],
): void {
  const sql = `INSERT INTO ${table} (${record}, ${entry}, position) VALUES (?, ?, ?)`;
  entries.forEach((each, position) => database.run(sql, id, each, position));
}

/** A condition on rows, and the values of its parameters. */
export type RowsWhere = readonly [condition: string, ...values: readonly unknown[]];

/**
 * Recomputes derived columns in the rows that differ (docs/rules.md § 30). A value that a unique index refuses stays;
 * since one row may free a value for another, this repeats until nothing changes.
 *
 * @param where which rows; all unless given
 * @returns whether all rows follow the rules now
 */
export function renewRows<R extends { readonly id: number }>(
  database: Transaction,
  table: string,
  compute: (row: R) => Partial<R>,
  where: RowsWhere = ['1'],
): boolean {
  const stale = new Map<number, Row>();
  let areRenewed = true;
  const [condition, ...values] = where;
  const sql = `SELECT * FROM ${table} WHERE ${condition}`;
  for (const row of database.prepare<unknown[], R & Row>(sql).iterate(...values)) {
    // No rule can read bytes stored in a text column; the start reports them.
    if (Object.values(row).some((value) => Buffer.isBuffer(value))) {
      areRenewed = false;
      continue;
    }
    const wanted: Row = compute(row);
    if (Object.entries(wanted).some(([name, value]) => row[name] !== value))
      stale.set(row.id, wanted);
  }
  let before: number;
  do {
    before = stale.size;
    for (const [id, wanted] of stale) if (tryUpdate(database, table, id, wanted)) stale.delete(id);
  } while (stale.size > 0 && stale.size < before);
  return areRenewed && stale.size === 0;
}

/** A stored one-line text in today's form; unchanged if nothing would be left of it. */
export function renewedLine<T extends string | null>(text: T): T | string {
  return text === null ? text : storedLine(text) || text;
}

/** A stored ISBN in thirteen digits; unchanged if it is none. */
export const renewedIsbn = (isbn: string | null): string | null =>
  isbn === null ? null : (parseIsbn(isbn) ?? isbn);

function tryUpdate(database: Transaction, table: string, id: number, values: Row): boolean {
  const assignments = columnsWritten(values).map((name) => `${name} = @${name}`);
  const { changes } = database.run(
    `UPDATE OR IGNORE ${table} SET ${assignments.join(', ')} WHERE id = @id`,
    { ...values, id },
  );
  return changes > 0;
}

/**
 * Writes, and throws the error of `refuse` if another row has the same unique columns; without `refuse`, SQLite's
 * error.
 *
 * @param unique the columns of the index, as `Table.column`
 */
export function refusingTwins<T>(
  unique: readonly string[],
  write: () => T,
  refuse: () => Refusal | undefined,
): T {
  try {
    return write();
  } catch (error) {
    const isTwin =
      error instanceof Sqlite.SqliteError &&
      error.message === `UNIQUE constraint failed: ${unique.join(', ')}`;
    throw (isTwin && refuse()) || error;
  }
}

export const isAnyViolation = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_CONSTRAINT');
