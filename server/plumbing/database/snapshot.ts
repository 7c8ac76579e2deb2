import type Sqlite from 'better-sqlite3';
import type { Row } from '#shared/change-reader';
import { registerFunctions, type DatabasePlace } from './connection.ts';
import { openToRead } from './migrations.ts';

/**
 * One state of the database, for a reading that goes on while others write: a connection of its own in
 * a read transaction. To be closed soon, as the log grows meanwhile.
 */
export class Snapshot {
  readonly #db: Sqlite.Database;

  constructor({ path, coversUrl }: DatabasePlace) {
    this.#db = openToRead(path);
    registerFunctions(this.#db, coversUrl);
    this.#db.exec('BEGIN');
    // The transaction begins with its first reading.
    this.#db.prepare('SELECT 1 FROM sqlite_schema').get();
  }

  /** All the rows of a question; its parameters have names. */
  all<R>(sql: string, params: Row): R[] {
    return this.#db.prepare<[Row], R>(sql).all(params);
  }

  get isOpen(): boolean {
    return this.#db.open;
  }

  close(): void {
    this.#db.close();
  }
}
