import Sqlite from 'better-sqlite3';
import { COVERS_SITE } from '#shared/couvertures';
import { registerFunctions } from '../functions.ts';
import { migrate, readMigrations, schemaOf } from '../migrations.ts';
import { InvalidBackup } from './invalid-backup.ts';

/** The largest id or revision that is taken: no household comes near it, and all that it counts to is exact. */
const MAX_NUMBER = 1e12;

/** An index, a trigger, a table or a view, as the schema has it. */
interface Part {
  readonly type: string;
  readonly name: string;
  readonly tableName: string;
  readonly sql: string;
}

/**
 * Throws InvalidBackup where a database, of any schema, brings triggers or views that the migrations do not make, as
 * these would run with every write, or numbers that nothing counts to. A backup that is whole may still have been changed by somebody.
 */
export function checkCode(path: string): void {
  comparing(path, (db, own) => {
    const known = new Set(own.map(({ sql }) => sql));
    const code = partsOf(db).filter(({ type }) => type === 'trigger' || type === 'view');
    if (code.some(({ sql }) => !known.has(sql))) throw foreign();
    const tables = own.filter(({ type }) => type === 'table');
    if (tables.some(({ name }) => farthest(db, name) > MAX_NUMBER)) throw foreign();
  });
}

/**
 * Throws InvalidBackup unless the household's tables, with their indexes and triggers, are those that the migrations
 * make; tables of other programs may be beside them.
 */
export function checkSchema(path: string): void {
  comparing(path, (db, own) => {
    const tables = new Set(own.map(({ tableName }) => tableName));
    const ofOwn = partsOf(db).filter(({ tableName }) => tables.has(tableName));
    const [expected, found] = [own, ofOwn].map((parts) => parts.map(textOf).sort().join('\n'));
    if (expected !== found) throw foreign();
  });
}

const foreign = (): InvalidBackup =>
  new InvalidBackup(
    'La base de cette sauvegarde n’est pas celle que Rayonnage a écrite : elle a été modifiée.',
  );

/** Gives a database, and what the migrations up to its schema make. */
function comparing(
  path: string,
  compare: (db: Sqlite.Database, own: readonly Part[]) => void,
): void {
  const own = new Sqlite(':memory:');
  const db = new Sqlite(path, { readonly: true });
  try {
    registerFunctions(own, COVERS_SITE);
    migrate(own, readMigrations().slice(0, schemaOf(db)));
    compare(db, partsOf(own));
  } finally {
    own.close();
    db.close();
  }
}

/** What SQLite makes by itself has no text, or a name of its own. */
const partsOf = (db: Sqlite.Database): Part[] =>
  db
    .prepare<[], Part>(
      `SELECT type, name, tbl_name AS tableName, sql FROM sqlite_schema
       WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'`,
    )
    .all();

/** Without quotes and blanks: versions of SQLite differ in how they rewrite the text of a table that is renamed. */
const textOf = ({ type, name, sql }: Part): string =>
  `${type} ${name} ${sql.replace(/["\s]/g, '').toLowerCase()}`;

/** The id that is farthest from 0, given or to be given by a table; 0 where it is not there or has none. */
function farthest(db: Sqlite.Database, table: string): number {
  const numbers = db
    .prepare<[], { name: string }>(
      `SELECT name FROM pragma_table_info('${table}') WHERE type = 'INTEGER' AND pk = 1`,
    )
    .all()
    .map(({ name }) => `SELECT "${name}" AS n FROM "${table}"`);
  const given = `SELECT seq AS n FROM sqlite_sequence WHERE name = '${table}'`;
  const all = [...numbers, given].join(' UNION ALL ');
  // The abs of SQLite fails for the least of all.
  const most = `SELECT coalesce(max(max(n), -1 - min(n)), 0) FROM (${all})`;
  return db.prepare<[], number>(most).pluck().get() ?? 0;
}
