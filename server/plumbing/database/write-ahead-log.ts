import { m } from '#messages';
import { constants, copyFileSync, rmSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { UnusableDatabase } from './unusable.ts';

/** How long nobody has written when the log is emptied; half of the second that docs/rules.md § 42 promises. */
const QUIET_MS = 500;
const MAX_PAUSE_MS = 60_000;

export const logOf = (path: string): string => `${path}-wal`;

/** In bytes; 0 where there is none. */
export const sizeOf = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Brings what SQLite's log holds into the database's file soon after each write, and empties the log: a file that is
 * copied alone, as by a snapshot or `rsync`, is whole then. Where a reader or another program prevents that it tries again.
 */
export class LogKeeper {
  readonly #db: Sqlite.Database;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Sqlite.Database) {
    this.#db = db;
  }

  noteWrite(): void {
    this.#emptyIn(QUIET_MS);
  }

  #emptyIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#empty()) this.#emptyIn(Math.min(2 * ms, MAX_PAUSE_MS));
    }, ms).unref();
  }

  #empty(): boolean {
    try {
      return this.#db.pragma('wal_checkpoint(TRUNCATE)', { simple: true }) === 0;
    } catch (error) {
      // The log keeps what the disk does not take; the next write tells why it does not.
      if (error instanceof Sqlite.SqliteError) return false;
      throw error;
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** What tells whether a file and a log are of one database. */
interface FileState {
  readonly bibliotheque: string;
  readonly revision: number;
  readonly revisionFichier: number | null;
}

/**
 * Throws UnusableDatabase where a log lies beside a database that it was not begun on: another household's file, or an older
 * one, was copied over it after the service had been killed. SQLite would mix the two in silence. Nothing is changed.
 */
export function requireOwnLog(path: string, openWithLog: (path: string) => Sqlite.Database): void {
  if (sizeOf(path) === 0 || sizeOf(logOf(path)) === 0) return;
  const alone = readAlone(path);
  // A first start that was cut short, or a disk without room for the look.
  if (alone === null) return;
  const together = readState(() => openWithLog(path));
  if (together !== null && isOneDatabase(alone, together)) return;
  throw new UnusableDatabase(
    m.operator_database_other_log({ path, log: logOf(path), shared: `${path}-shm` }),
  );
}

const isOneDatabase = (alone: FileState, together: FileState): boolean =>
  alone.bibliotheque === together.bibliotheque &&
  alone.revision <= together.revision &&
  (together.revisionFichier === null || together.revisionFichier <= alone.revision);

function readAlone(path: string): FileState | null {
  const copy = `${path}.partiel`;
  try {
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    return readState(() => new Sqlite(copy));
  } catch {
    return null; // told by what opens the database
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true });
  }
}

/** `null` where it cannot be read, or is of a version that did not note what is asked. */
function readState(open: () => Sqlite.Database): FileState | null {
  let db: Sqlite.Database | undefined;
  try {
    db = open();
    const state = db
      .prepare<[], FileState>(
        `SELECT bibliotheque, revisionFichier,
           coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'Journal'), 0) AS revision
         FROM Installation`,
      )
      .get();
    return state ?? null;
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : '';
    if (/^SQLITE_(?:CORRUPT|NOTADB|ERROR)/.test(code)) return null;
    throw error;
  } finally {
    db?.close();
  }
}
