import { statSync } from 'node:fs';
import Database from 'better-sqlite3';

/**
 * The file that a database was opened as. Deleted, or replaced by another, it takes writes on, and
 * loses them when it is closed: with a write-ahead log SQLite itself does not look.
 */
export class Place {
  readonly #path: string;
  readonly #file: bigint | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#file = this.#present();
  }

  /** Throws SQLite's own error for it where the path leads to that file no more; some 5 µs. */
  verify(): void {
    if (this.#present() !== this.#file)
      throw new Database.SqliteError('The database file has gone', 'SQLITE_READONLY_DBMOVED');
  }

  #present(): bigint | undefined {
    return statSync(this.#path, { bigint: true, throwIfNoEntry: false })?.ino;
  }
}
