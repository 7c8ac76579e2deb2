import Sqlite from 'better-sqlite3';
import { inspect, openToRead } from '../inspection.ts';
import { readMigrations, schemaOf } from '../migrations.ts';
import { InvalidBackup } from './invalid-backup.ts';

/** Version, epoch and counts of a database, to compare a copy with its original. */
export interface Content {
  /** The number of its last migration. */
  readonly schema: number;
  /** `null` before the migration that draws one. */
  readonly epoque: string | null;
  readonly revision: number;
  /** How many rows each table has. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Pages of a database copied before others get a turn. */
const PAGES_PER_TURN = 1000;

/**
 * Copies a database to a file by SQLite's online backup, whether a service writes to it meanwhile or
 * not, and returns what it held at that moment. Throws UnusableDatabase where it is none of this
 * service's.
 */
export async function copyDatabase(path: string, to: string): Promise<Content> {
  if (inspect(path, readMigrations()) === 0)
    throw new Error(`Il n’y a pas de bibliothèque à ${path} : rien à sauvegarder.`);
  const db = openToRead(path);
  try {
    // The read transaction holds one state: without it, every write of the service starts the copy anew.
    db.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    await db.backup(to, { progress: () => PAGES_PER_TURN });
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  makeSelfContained(to);
  return reading(to, readContent);
}

/** Leaves WAL mode, so that the copy is one file wherever it is opened. */
export function makeSelfContained(path: string): void {
  const db = new Sqlite(path);
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Throws InvalidBackup unless all of a database can be read and fits together. Takes long for a large one. */
export function verifySound(path: string): void {
  const isSound = reading(
    path,
    (db) =>
      db.pragma('integrity_check', { simple: true }) === 'ok' &&
      db.prepare('PRAGMA foreign_key_check').get() === undefined,
  );
  if (!isSound) throw damaged();
}

/** Throws InvalidBackup unless a database is sound and holds what it should. */
export function verifyCopy(path: string, expected: Content): void {
  verifySound(path);
  if (!isSame(reading(path, readContent), expected)) throw damaged();
}

const damaged = (): InvalidBackup =>
  new InvalidBackup('La base de cette sauvegarde est abîmée : elle ne se lit pas en entier.');

function reading<T>(path: string, read: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The keys of all covers of a database; none where its schema is older than covers. */
export const coverKeys = (path: string): string[] =>
  reading(path, (db) => {
    const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'Couverture'").get();
    if (has === undefined) return [];
    return db.prepare<[], string>('SELECT cle FROM Couverture ORDER BY cle').pluck().all();
  });

const isSame = (a: Content, b: Content): boolean =>
  a.schema === b.schema &&
  a.epoque === b.epoque &&
  a.revision === b.revision &&
  Object.keys(a.counts).length === Object.keys(b.counts).length &&
  Object.entries(a.counts).every(([table, count]) => b.counts[table] === count);

function readContent(db: Sqlite.Database): Content {
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  const count = (table: string) =>
    db.prepare<[], number>(`SELECT count(*) FROM "${table}"`).pluck().get() ?? 0;
  return {
    schema: schemaOf(db),
    epoque: tables.includes('Installation') ? readEpoque(db) : null,
    revision: tables.includes('Journal') ? readRevision(db) : 0,
    counts: Object.fromEntries(tables.map((table) => [table, count(table)])),
  };
}

const readEpoque = (db: Sqlite.Database): string | null =>
  db.prepare<[], string>('SELECT epoque FROM Installation').pluck().get() ?? null;

const readRevision = (db: Sqlite.Database): number =>
  db.prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'Journal'").pluck().get() ??
  0;
