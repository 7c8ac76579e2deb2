import { m } from '#messages';
import { closeSync, constants, copyFileSync, openSync, readSync, rmSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { UnusableDatabase } from './unusable.ts';

/** The log is emptied after so long without a write; half of the second that docs/rules.md § 42 promises. */
const QUIET_MS = 500;
const MAX_PAUSE_MS = 60_000;

export const logOf = (path: string): string => `${path}-wal`;

/** In bytes; 0 without a file. */
export const sizeOf = (path: string): number =>
  statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Checkpoints SQLite's log into the database file soon after each write, so that a copy of the file alone, as by a
 * snapshot or `rsync`, is complete. Retries if a reader or another program prevents it.
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
      // If the disk is full the log keeps the data; the next write reports it.
      if (error instanceof Sqlite.SqliteError) return false;
      throw error;
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }
}

/** The state of the files at a write. Numbers are texts, since JSON would round nanoseconds. */
const FileNote = Type.Object({
  inode: Type.String(),
  /** When the file was last written, by a checkpoint. */
  written: Type.String(),
  /** When the file was last replaced, given rights or written. */
  changed: Type.String(),
  logInode: Type.String(),
});
type FileNote = Static<typeof FileNote>;

/** Records in the log, with its writes, the state of the file that it belongs to. */
export class FileNotes {
  readonly #path: string;
  #kept = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** The note for the next write; `null` if the last note is the same. */
  due(): string | null {
    const note = noteOf(this.#path);
    return note === this.#kept ? null : note;
  }

  /** Call once the write is committed. */
  keep(note: string | null): void {
    this.#kept = note ?? this.#kept;
  }
}

/** Opens no file: closing one of the database's files would release SQLite's locks in this process. */
function noteOf(path: string): string {
  const file = statSync(path, { bigint: true });
  const log = statSync(logOf(path), { bigint: true, throwIfNoEntry: false });
  return JSON.stringify({
    inode: String(file.ino),
    written: String(file.mtimeNs),
    changed: String(file.ctimeNs),
    logInode: String(log?.ino),
  } satisfies FileNote);
}

/** Tells whether a file and a log belong to the same database. */
interface FileState {
  readonly bibliotheque: string;
  readonly revision: number;
  readonly revisionFichier: number | null;
  readonly noteFichier: string | null;
}

/** How often a file is read again if a running service checkpoints meanwhile. */
const MAX_LOOKS = 5;

/**
 * Throws UnusableDatabase if a log lies beside another database file: after a kill, another household's or an older
 * file was copied over it, and SQLite would merge the two silently. Changes nothing. Never call it while this process
 * has the database open (`noteOf`).
 */
export function requireMatchingLog(
  path: string,
  openWithLog: (path: string) => Sqlite.Database,
): void {
  for (let look = 1; ; look++) {
    if (sizeOf(path) === 0 || sizeOf(logOf(path)) === 0) return;
    const before = noteOf(path);
    const alone = readAlone(path);
    // A first start that was cut short, or a disk without room for the look.
    if (alone === null) return;
    const together = readState(() => openWithLog(path));
    const places = { path, log: logOf(path), shared: `${path}-shm` };
    const isOne = together !== null && isOneDatabase(alone, together);
    if (isOne && !isPutBack(path, alone, together)) return;
    if (before !== noteOf(path) && look < MAX_LOOKS) continue;
    throw new UnusableDatabase(
      isOne
        ? m.operator_database_older_file({
            ...places,
            command: `sqlite3 ${path} 'PRAGMA wal_checkpoint(TRUNCATE)'`,
          })
        : m.operator_database_other_log(places),
    );
  }
}

/**
 * Whether an older copy of the file was put beside the log after a kill, although the log fits: SQLite would silently
 * apply all later writes to it. After a mere kill the file is the recorded one, or has the note itself after a
 * checkpoint, or its first page after an interrupted one. Files copied together or given to another account count as
 * unchanged.
 */
function isPutBack(path: string, alone: FileState, together: FileState): boolean {
  if (together.noteFichier === null || alone.noteFichier === together.noteFichier) return false;
  const noted: unknown = JSON.parse(together.noteFichier);
  const now: unknown = JSON.parse(noteOf(path));
  if (!Check(FileNote, noted) || !Check(FileNote, now)) return false;
  if (now.logInode !== noted.logInode) return false;
  const isSame = now.inode === noted.inode && now.written === noted.written;
  if (isSame && (now.changed === noted.changed || hasNewRights(logOf(path)))) return false;
  return !hasBegunCheckpoint(path);
}

/** Offsets in SQLite's log and in its frames, in bytes. */
const LOG = { pageSize: 8, salts: 16, frames: 32 };
const FRAME = { salts: 8, page: 24 };
const SALTS_BYTES = 8;

/** A checkpoint writes pages in the order of their numbers, so that the lowest page shows whether it has begun. */
function hasBegunCheckpoint(path: string): boolean {
  const [file, log] = [openSync(path, 'r'), openSync(logOf(path), 'r')];
  try {
    const header = readAt(log, 0, LOG.frames);
    const pageSize = header.readUInt32BE(LOG.pageSize);
    const salts = header.subarray(LOG.salts, LOG.salts + SALTS_BYTES);
    let lowest = Infinity;
    let versions: number[] = [];
    for (let at = LOG.frames; ; at += FRAME.page + pageSize) {
      const frame = readAt(log, at, FRAME.page);
      // Later frames belong to an earlier use of the log.
      if (!frame.subarray(FRAME.salts, FRAME.salts + SALTS_BYTES).equals(salts)) break;
      const page = frame.readUInt32BE(0);
      if (page < lowest) [lowest, versions] = [page, []];
      if (page === lowest) versions.push(at + FRAME.page);
    }
    if (lowest === Infinity) return false;
    const present = readAt(file, (lowest - 1) * pageSize, pageSize);
    return versions.some((at) => readAt(log, at, pageSize).equals(present));
  } finally {
    closeSync(file);
    closeSync(log);
  }
}

/** Reads bytes at a position, padded with zeros. */
function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, position);
  return bytes;
}

function hasNewRights(path: string): boolean {
  const { mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return mtimeNs !== ctimeNs;
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
    return null; // reported when the database is opened
  } finally {
    for (const ending of ['', '-wal', '-shm']) rmSync(copy + ending, { force: true });
  }
}

/** `null` if the file is unreadable, or of a version without the note. */
function readState(open: () => Sqlite.Database): FileState | null {
  let db: Sqlite.Database | undefined;
  try {
    db = open();
    const hasNote = db
      .prepare("SELECT 1 FROM pragma_table_info('Installation') WHERE name = 'noteFichier'")
      .get();
    const state = db
      .prepare<[], FileState>(
        `SELECT bibliotheque, revisionFichier,
           ${hasNote ? 'noteFichier' : 'NULL AS noteFichier'},
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
