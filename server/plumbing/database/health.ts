import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { Refusal } from '#shared/refusals';
import { FULL, freeBytes, isAlmostFull, mayWrite, MIN_FREE_BYTES } from './files.ts';
import { schemaOf } from './migrations.ts';

const OF_THE_DISK = ['DISQUE_PLEIN', 'DISQUE_EN_PANNE', 'BASE_EN_LECTURE_SEULE'] as const;

export class Health {
  readonly #db: Sqlite.Database;
  readonly #folder: string;
  #writeFailed: boolean;
  #isDoubted = false;
  /** The state of the file in which a damaged page was found. */
  #damaged = '';

  constructor(db: Sqlite.Database, folder: string, isReadOnly: boolean) {
    this.#db = db;
    this.#folder = folder;
    this.#writeFailed = isReadOnly;
  }

  get schema(): number {
    return schemaOf(this.#db);
  }

  get freeBytes(): number {
    return freeBytes(this.#folder);
  }

  /** Has the next `verify` read every page: a damaged one was found. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** To be called with another connection's failure. */
  noteLongWrite(error: unknown): void {
    if (!(error instanceof Refusal)) return;
    this.#writeFailed ||= OF_THE_DISK.some((code) => code === error.code);
  }

  /** Throws a refusal in place of SQLite's error where the disk fails. */
  commit<T>(transaction: () => T): T {
    try {
      const result = transaction();
      this.#writeFailed = false;
      return result;
    } catch (error) {
      const refusal = diskRefusal(error, this.#folder);
      if (refusal === null) throw error;
      this.#writeFailed = true;
      throw refusal;
    }
  }

  verify(mayWrite: boolean): void {
    if (this.#isDoubted) this.#readEveryPage();
    const isDoubtful = this.#writeFailed || isAlmostFull(this.#folder);
    if (isDoubtful && mayWrite) this.#tryToWrite();
  }

  /** From the disk, not from SQLite's memory: the file may have been mended. */
  #readEveryPage(): void {
    const state = this.#state();
    if (state === this.#damaged) throw new Refusal('BASE_ABIMEE');
    this.#db.pragma('shrink_memory');
    this.#damaged = state;
    if (this.#db.pragma('quick_check(1)', { simple: true }) !== 'ok')
      throw new Refusal('BASE_ABIMEE');
    this.#damaged = '';
    this.#isDoubted = false;
  }

  /** Changes with the file, and with another connection's commit, which first stands in the log. */
  #state(): string {
    const { ino, mtimeNs } = statSync(this.#db.name, { bigint: true });
    return [ino, mtimeNs, this.#db.pragma('data_version', { simple: true })].join(' ');
  }

  #tryToWrite(): void {
    const probe = this.#db.transaction(() => {
      this.#db.exec(`DROP TABLE IF EXISTS WriteProbe;
        CREATE TABLE WriteProbe AS SELECT zeroblob(${String(MIN_FREE_BYTES)}) AS bytes`);
    });
    this.commit(() => probe.immediate());
    this.#db.exec('DROP TABLE WriteProbe');
  }
}

/** `null` where the disk is not the cause. */
export function diskRefusal(error: unknown, folder: string): Refusal | null {
  if (!(error instanceof Sqlite.SqliteError)) return null;
  const { code } = error;
  if (!/^SQLITE_(?:FULL|IOERR|READONLY(?!_DBMOVED))/.test(code)) return null;
  const refusal = new Refusal(refusalCodeOf(code, folder));
  refusal.cause = error;
  return refusal;
}

function refusalCodeOf(code: string, folder: string) {
  const takesFiles = code === 'SQLITE_FULL' || mayWrite(folder);
  if (code.startsWith('SQLITE_READONLY') || !takesFiles) return 'BASE_EN_LECTURE_SEULE';
  return FULL.test(code) || isAlmostFull(folder) ? 'DISQUE_PLEIN' : 'DISQUE_EN_PANNE';
}

/**
 * Returns what throws SQLITE_READONLY_DBMOVED, in some 10 µs, where an open database or its log was deleted or replaced:
 * SQLite goes on writing to the orphaned inode, and what it has acknowledged is lost. To be called after the first read
 * of the database: the log does not exist before.
 */
export function fileCheck(database: string): () => void {
  const paths = [database, `${database}-wal`];
  const inodes = paths.map(inodeOf);
  return () => {
    if (paths.some((path, index) => inodeOf(path) !== inodes[index]))
      throw new Sqlite.SqliteError('A file of the database has gone', 'SQLITE_READONLY_DBMOVED');
  };
}

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
