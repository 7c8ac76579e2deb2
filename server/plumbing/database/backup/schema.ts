import Sqlite from 'better-sqlite3';
import { raison } from '#server/plumbing/common/raisons';
import { registerFunctions } from '../connection.ts';
import { migrate, readMigrations, schemaOf } from '../migrations.ts';
import { InvalidBackup } from './file.ts';

/** The largest id or revision that is accepted: room for 10¹² more, which are exact numbers still. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER - 1e12;

interface Part {
  readonly type: string;
  readonly name: string;
  readonly tableName: string;
  readonly sql: string;
}

/**
 * Throws InvalidBackup if a database has code that no migration creates, which would run with every write or page
 * check, or ids out of all proportion: the backup may be forged. Reads only the schema and the ends of tables. Tables
 * of other programs pass if they only have columns.
 */
export function checkCode(path: string): void {
  withOwnSchema(path, (db, own) => {
    const known = new Set(own.map(textOf));
    const owned = new Set(own.map(({ tableName }) => tableName));
    const others = partsOf(db).filter((part) => !known.has(textOf(part)));
    if (others.some((part) => owned.has(part.tableName) || !isPlain(db, part))) throw foreign();
    const tables = own.filter(({ type }) => type === 'table');
    if (tables.some(({ name }) => farthest(db, name) > MAX_NUMBER)) throw foreign();
  });
}

/** Throws InvalidBackup if the tables differ from those of the migrations. */
export function checkSchema(path: string): void {
  withOwnSchema(path, (db, own) => {
    const tables = new Set(own.map(({ tableName }) => tableName));
    const ofOwn = partsOf(db).filter(({ tableName }) => tables.has(tableName));
    const [expected, found] = [own, ofOwn].map((parts) => parts.map(textOf).sort().join('\n'));
    if (expected !== found) throw foreign();
  });
}

/** The tables that the migrations make. */
export function ownTables(): string[] {
  const own = new Sqlite(':memory:');
  try {
    registerFunctions(own, '');
    migrate(own, readMigrations());
    return partsOf(own).flatMap(({ type, name }) => (type === 'table' ? [name] : []));
  } finally {
    own.close();
  }
}

const foreign = (): InvalidBackup => new InvalidBackup(raison('sauvegardeModifiee'));

function withOwnSchema(
  path: string,
  compare: (db: Sqlite.Database, own: readonly Part[]) => void,
): void {
  const own = new Sqlite(':memory:');
  const db = new Sqlite(path, { readonly: true });
  try {
    registerFunctions(own, '');
    migrate(own, readMigrations().slice(0, schemaOf(db)));
    compare(db, partsOf(own));
  } finally {
    own.close();
    db.close();
  }
}

/**
 * Without the objects that SQLite creates by itself, which have no SQL text, or are among these tables. A name alone
 * can be forged.
 */
const partsOf = (db: Sqlite.Database): Part[] =>
  db
    .prepare<[], Part>(
      `SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema
       WHERE sql IS NOT NULL
         AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))`,
    )
    .all();

/** Whether a part computes nothing: a table without checks, computed columns and module, an index of columns alone. */
function isPlain(db: Sqlite.Database, { type, name, sql }: Part): boolean {
  if (type === 'table')
    return (
      /^\s*create\s+table\b/i.test(sql) &&
      !/\bcheck\b/i.test(sql) &&
      db.prepare('SELECT 1 FROM pragma_table_xinfo(?) WHERE hidden > 0').get(name) === undefined
    );
  return (
    type === 'index' &&
    !/\bwhere\b/i.test(sql) &&
    db.prepare('SELECT 1 FROM pragma_index_xinfo(?) WHERE cid = -2').get(name) === undefined
  );
}

/** Versions of SQLite quote and space differently when they rewrite the text of a renamed table. */
const textOf = ({ type, name, sql }: Part): string =>
  `${type} ${name} ${sql.replace(/["\s]/g, '').toLowerCase()}`;

/** The id farthest from 0 in a table or its sequence; 0 without any. */
function farthest(db: Sqlite.Database, table: string): number {
  const numbers = db
    .prepare<[], { name: string }>(
      `SELECT name FROM pragma_table_info('${table}') WHERE type = 'INTEGER' AND pk = 1`,
    )
    .all()
    .map(({ name }) => `SELECT "${name}" AS n FROM "${table}"`);
  const given = `SELECT seq AS n FROM sqlite_sequence WHERE name = '${table}'`;
  const all = [...numbers, given].join(' UNION ALL ');
  // The abs of SQLite fails for the smallest integer.
  const most = `SELECT coalesce(max(max(n), -1 - min(n)), 0) FROM (${all})`;
  return db.prepare<[], number>(most).pluck().get() ?? 0;
}
