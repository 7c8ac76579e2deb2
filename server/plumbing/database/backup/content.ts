import Sqlite from 'better-sqlite3';
import { inspect, openToRead } from '../inspection.ts';
import { readMigrations, schemaOf } from '../migrations.ts';
import { InvalidBackup } from './invalid-backup.ts';

/** Pages of a database copied before others get a turn. */
const PAGES_PER_TURN = 1000;

/** What is told of a database, and the keys of its covers; none where its schema is older than covers. */
interface Content {
  readonly schema: number;
  readonly livres: number;
  readonly coverKeys: readonly string[];
}

/**
 * Copies a database to a file by SQLite's online backup, whether a service writes to it meanwhile or not, and returns
 * what the copy holds. Throws UnusableDatabase where it is none of this service's, InvalidBackup where it is damaged.
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
  verifySound(to);
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
  try {
    const isSound = reading(
      path,
      (db) =>
        db.pragma('integrity_check', { simple: true }) === 'ok' &&
        db.prepare('PRAGMA foreign_key_check').get() === undefined,
    );
    if (isSound) return;
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : '';
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) throw error;
  }
  throw new InvalidBackup('La base de cette sauvegarde est abîmée : elle ne se lit pas en entier.');
}

function reading<T>(path: string, read: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function readContent(db: Sqlite.Database): Content {
  const hasCovers = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'Couverture'").get();
  return {
    schema: schemaOf(db),
    livres: db.prepare<[], number>('SELECT count(*) FROM Livre').pluck().get() ?? 0,
    coverKeys:
      hasCovers === undefined
        ? []
        : db.prepare<[], string>('SELECT cle FROM Couverture ORDER BY cle').pluck().all(),
  };
}
