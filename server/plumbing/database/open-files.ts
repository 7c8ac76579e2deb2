import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

/**
 * The files of an open database: itself and its write-ahead log. After one of them is deleted or
 * replaced SQLite keeps writing to the orphaned inode, and what it acknowledges is lost with it.
 */
export class OpenFiles {
  readonly #paths: readonly string[];
  readonly #inodes: readonly (bigint | undefined)[];

  /** Call it after the first read of the database: the log exists only then. */
  constructor(path: string) {
    this.#paths = [path, `${path}-wal`];
    this.#inodes = this.#paths.map(inodeOf);
  }

  /** Throws SQLite's own error for it where a path leads to another file, or to none; some 10 µs. */
  verify(): void {
    if (this.#paths.some((path, index) => inodeOf(path) !== this.#inodes[index]))
      throw new Sqlite.SqliteError('A file of the database has gone', 'SQLITE_READONLY_DBMOVED');
  }
}

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
