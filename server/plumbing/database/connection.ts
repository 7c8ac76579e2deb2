import Sqlite from 'better-sqlite3';
import { registerFunctions } from './functions.ts';

export const BUSY_TIMEOUT_MS = 5000;

/** What another thread needs to open a second connection. */
export interface DatabasePlace {
  /** The real path of the file. */
  readonly path: string;
  /** The site of the covers that stand in for missing ones. */
  readonly coversUrl: string;
}

/** Opens a connection that may write, as every one of the service's has to be set. */
export function connect({ path, coversUrl }: DatabasePlace): Sqlite.Database {
  const db = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // What a long reading has let it grow to would stay: 16 MiB are four times what SQLite keeps it at.
    db.pragma('journal_size_limit = 16777216');
    // SQLite's own 2 MB: books are read in memory, and the driver's 16 MB would stay for good.
    db.pragma('cache_size = -2000');
    // Without it INSERT OR REPLACE fires no delete triggers, and the journal would miss the deletion.
    db.pragma('recursive_triggers = ON');
    registerFunctions(db, coversUrl);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
