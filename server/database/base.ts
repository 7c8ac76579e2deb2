import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { Epoque } from './epoque.ts';
import { registerFunctions } from './functions.ts';
import { inspect } from './inspection.ts';
import { Listeners } from './listeners.ts';
import { readMigrations, type Migration } from './migrations.ts';
import { Place } from './place.ts';
import { UnusableDatabase } from './unusable.ts';
import { bringUpToDate } from './upgrade.ts';

const BUSY_TIMEOUT_MS = 5000;

/**
 * The household's database: one connection to one SQLite file. Everything is synchronous, and a
 * write is on the disk when it returns.
 */
export class Base {
  readonly #db: Database.Database;
  readonly #place: Place;
  readonly #epoque: Epoque;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #listeners = new Listeners<[]>();
  #transaction: 'none' | 'read' | 'write' = 'none';

  private constructor(db: Database.Database, path: string) {
    this.#db = db;
    this.#place = new Place(path);
    this.#epoque = Epoque.open(db, path, () => this.revision());
  }

  /**
   * Opens the database at a path, makes it where there is none (the folder too), and brings it to
   * the present schema; a copy is kept beside it before the first migration of an existing one.
   * Throws UnusableDatabase when the file cannot be used; it is then as it was.
   *
   * @param couvertures the site of the covers that stand in for missing ones
   */
  static open(
    path: string,
    migrations: readonly Migration[] = readMigrations(),
    couvertures?: string,
  ): Base {
    try {
      mkdirSync(dirname(path), { recursive: true });
      const schema = inspect(path, migrations);
      return Base.#connect(path, (db) => {
        registerFunctions(db, couvertures);
        bringUpToDate(db, path, schema, migrations);
      });
    } catch (error) {
      if (error instanceof UnusableDatabase) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new UnusableDatabase(`La base ${path} ne s’ouvre pas (${reason}).`, error);
    }
  }

  static #connect(path: string, prepare: (db: Database.Database) => void): Base {
    const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      db.pragma('journal_mode = WAL');
      db.pragma('synchronous = FULL');
      // SQLite's own 2 MB: books are read in memory, and the driver's 16 MB would stay for good.
      db.pragma('cache_size = -2000');
      // Only so does INSERT OR REPLACE fire the delete triggers that keep the journal.
      db.pragma('recursive_triggers = ON');
      prepare(db);
      return new Base(db, path);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Drawn when the database was made, and again when a backup was restored. */
  get epoque(): string {
    return this.#epoque.valeur;
  }

  /** Throws unless the database answers from the file that it was opened as. */
  verify(): void {
    this.#place.verify();
    this.revision();
  }

  /** The journal's revision: that of the last change; 0 in an empty database. */
  revision(): number {
    const row = this.prepare<[], { revision: number | null }>(
      'SELECT max(revision) AS revision FROM Journal',
    ).get();
    return row?.revision ?? 0;
  }

  /**
   * The statement of an SQL text, compiled once. Statements are shared by their text: leave
   * `pluck`, `raw` and `expand` alone.
   */
  prepare<Params extends unknown[] | object = [], Row = unknown>(
    sql: string,
  ): Database.Statement<Params, Row> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- what an SQL text takes and gives is known to its writer only
    return statement as unknown as Database.Statement<Params, Row>;
  }

  /**
   * Runs work in one IMMEDIATE transaction and returns its result; what throws is rolled back.
   * A write inside a write joins it: it is undone alone when it throws and the outer one goes on,
   * and lasts only when the outer one does. After the commit the commit listeners are told. Throws
   * when the file that it would go to is not at its path any more.
   */
  write<T>(work: () => T): T {
    if (this.#transaction === 'read') throw new Error('A write inside a read');
    const transaction = this.#db.transaction(work);
    if (this.#transaction === 'write') return transaction();
    this.#place.verify();
    const result = this.#during('write', () => transaction.immediate());
    this.#epoque.noteCommit();
    this.#listeners.tell();
    return result;
  }

  /** Runs work on one consistent state of the database. */
  read<T>(work: () => T): T {
    if (this.#transaction !== 'none') return work();
    return this.#during('read', () => this.#db.transaction(work).deferred());
  }

  /** Has a listener called after each commit, until the function that this returns is called. */
  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  close(): void {
    if (!this.#db.open) return;
    this.#epoque.close();
    this.#db.close();
  }

  #during<T>(kind: 'read' | 'write', work: () => T): T {
    this.#transaction = kind;
    try {
      return work();
    } finally {
      this.#transaction = 'none';
    }
  }
}
