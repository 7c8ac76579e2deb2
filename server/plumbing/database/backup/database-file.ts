import Sqlite from 'better-sqlite3';
import { openToRead, schemaOf } from '../migrations.ts';
import { toUnusable } from '../unusable.ts';
import type { Manifest } from './file.ts';

/** The household and the contents of a database file. */
export interface DatabaseSummary extends Pick<Manifest, 'schema' | 'livres' | 'bibliotheque'> {
  /** When the first migration was applied. */
  readonly created: string | null;
}

/** A service may have the database open. Throws UnusableDatabase. */
export function readDatabaseSummary(path: string): DatabaseSummary {
  let db: Sqlite.Database | undefined;
  try {
    db = openToRead(path);
    return databaseSummaryOf(db);
  } catch (error) {
    throw toUnusable(path, error);
  } finally {
    db?.close();
  }
}

export function databaseSummaryOf(db: Sqlite.Database): DatabaseSummary {
  const created = db
    .prepare<[], string | null>('SELECT min(dateApplication) FROM Migration')
    .pluck()
    .get();
  // A backup of 1.0 has the epoch, which became the id, or nothing.
  const id = ['bibliotheque', 'epoque'].find((column) => has(db, 'Installation', column));
  const bibliotheque = id && db.prepare<[], string>(`SELECT ${id} FROM Installation`).pluck().get();
  return {
    schema: schemaOf(db),
    livres: db.prepare<[], number>('SELECT count(*) FROM Livre').pluck().get() ?? 0,
    ...(bibliotheque && { bibliotheque }),
    created: created ?? null,
  };
}

const has = (db: Sqlite.Database, table: string, column: string): boolean =>
  db.prepare('SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined;

export function withDatabase<T>(path: string, read: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Leaves WAL mode, so that the copy is a single file. */
export function makeSelfContained(path: string): void {
  const db = new Sqlite(path);
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}
