import { m } from '#messages';
import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { toUnusable, UnusableDatabase } from './unusable.ts';

/** How long to wait for a process that is stopping. */
const LOCK_TIMEOUT_MS = 1000;

export interface DatabaseLock {
  /** Whether a service has had the database before: a file that is none then is a damaged database. */
  readonly wasThere: boolean;
  readonly release: () => void;
}

/**
 * Keeps a second process from a database by an exclusive transaction on the empty file `<database>.lock`, which the
 * system ends with the process, even a killed one. The file stays: a waiting process would lock a deleted one.
 */
export function lockDatabase(path: string): DatabaseLock {
  const file = `${path}.lock`;
  const wasThere = existsSync(file);
  let lock: Sqlite.Database | undefined;
  try {
    lock = new Sqlite(file, { timeout: LOCK_TIMEOUT_MS });
    // The file stays empty, so that it needs no journal on the disk.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    if ((statSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1) requireAlone(path);
    const opened = lock;
    return { wasThere, release: () => opened.close() };
  } catch (error) {
    lock?.close();
    if (!(error instanceof Sqlite.SqliteError) || error.code !== 'SQLITE_BUSY')
      throw toUnusable(path, error);
    throw new UnusableDatabase(m.operator_database_open_already({ path }), error);
  }
}

/**
 * Throws SQLITE_BUSY where a process has the file open by another of its names (a hard link), which has another lock
 * file. SQLite's own lock is on the file itself.
 */
function requireAlone(path: string): void {
  const db = new Sqlite(path, { timeout: LOCK_TIMEOUT_MS });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE; ROLLBACK');
  } catch (error) {
    // Other errors of the file are reported when it is opened.
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY') throw error;
  } finally {
    db.close();
  }
}

/** The canonical path of a database file. Its folder has to exist, the file need not. */
export function realPathOf(path: string): string {
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (link) return realPathOf(resolve(dirname(path), readlinkSync(path)));
  return join(realpathSync(dirname(path)), basename(path));
}
