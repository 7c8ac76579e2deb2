import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { COVERS_SITE } from '#shared/couvertures';
import { Refusal } from '#shared/refusals';
import { ChangeCapture } from './change-capture.ts';
import { BUSY_TIMEOUT_MS, connect, type DatabasePlace } from './connection.ts';
import { Health } from './health.ts';
import { History } from './history.ts';
import { inspect } from './inspection.ts';
import { Listeners } from './listeners.ts';
import { DatabaseLock, realPathOf } from './lock.ts';
import { readMigrations, type Migration } from './migrations.ts';
import { OpenFiles } from './open-files.ts';
import { giveLogRights, makeFolder, mayWrite, toUnusable } from './disk-errors.ts';
import { Snapshot } from './snapshot.ts';
import { Tombstones } from './tombstones.ts';
import { Reader } from './reader.ts';
import { Transaction } from './transaction.ts';
import { bringUpToDate, type Upgrade } from './upgrade.ts';
import { WriteLock } from './write-lock.ts';

/**
 * The household's database: one connection to one SQLite file. Everything is synchronous, and a
 * write is on the disk when it returns.
 */
export class Database extends Reader {
  readonly health: Health;
  /** What its revisions belong to. */
  readonly history: History;
  /** What its opening has changed; `null` for a database of this version. */
  readonly upgrade: Upgrade | null;
  /** Who may write: this connection, or for a while one of another thread. */
  readonly writeLock = new WriteLock();
  /** Whether it was opened for reading only, for want of the right to write; a later right is not seen. */
  readonly isReadOnly: boolean;
  readonly #db: Sqlite.Database;
  readonly #place: DatabasePlace;
  readonly #lock: DatabaseLock | null;
  readonly #files: OpenFiles;
  readonly #newTransaction: () => Transaction;
  readonly #tombstones: Tombstones;
  readonly #listeners = new Listeners<[]>();
  #takesWrites = true;

  private constructor(
    db: Sqlite.Database,
    place: DatabasePlace,
    lock: DatabaseLock | null,
    upgrade: Upgrade | null,
  ) {
    const { path } = place;
    const capture = new ChangeCapture(db);
    const statements = new Map<string, Sqlite.Statement>();
    super(db, capture, statements);
    this.#db = db;
    this.#place = place;
    this.isReadOnly = !mayWrite(path);
    this.health = new Health(db, dirname(path), this.isReadOnly);
    this.#lock = lock;
    this.upgrade = upgrade;
    this.history = new History(db, { revision: () => this.revision(), isStart: lock !== null });
    this.#tombstones = new Tombstones(db);
    if (!this.isReadOnly) this.#tombstones.forget();
    this.#files = new OpenFiles(path);
    this.#newTransaction = () => new Transaction(db, capture, statements);
  }

  /**
   * Opens the database at a path, makes it where there is none (the folder too), and brings it to
   * the present schema; a copy is kept beside it before the first migration of an existing one. One of this
   * schema whose file takes no writes is opened for reading.
   * Throws UnusableDatabase when the file cannot be used; it is then as it was.
   *
   * @param announce told before an upgrade how long it may take
   */
  static open(
    path: string,
    migrations: readonly Migration[] = readMigrations(),
    coversUrl = COVERS_SITE,
    announce: (sentence: string) => void = () => undefined,
  ): Database {
    let lock: DatabaseLock | undefined;
    try {
      makeFolder(dirname(path));
      const real = realPathOf(path);
      lock = DatabaseLock.acquire(real);
      giveLogRights(real);
      const schema = inspect(real, migrations, lock.wasThere);
      return Database.#connect({ path: real, coversUrl }, lock, (db) =>
        bringUpToDate(db, real, schema, migrations, announce),
      );
    } catch (error) {
      lock?.release();
      throw toUnusable(path, error, lock?.wasThere);
    }
  }

  /**
   * Opens a second connection, in another thread of the process that has the database open and has handed
   * it the write lock.
   */
  static openBeside(place: DatabasePlace): Database {
    return Database.#connect(place, null);
  }

  static #connect(
    place: DatabasePlace,
    lock: DatabaseLock | null,
    prepare: (db: Sqlite.Database) => Upgrade | null = () => null,
  ): Database {
    const db = connect(place);
    try {
      return new Database(db, place, lock, prepare(db));
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** What tells this household's database from every other's; its copies and backups share it. */
  get household(): string {
    return this.value<string>('SELECT bibliotheque FROM Installation') ?? '';
  }

  /** Drawn with the database, and again by each restore of a backup. */
  get epoque(): string {
    return this.history.epoque;
  }

  /** The rules by which all rows are, as whoever noted it calls them; `null` where that is not known. */
  get rules(): string | null {
    return this.value<string | null>('SELECT regles FROM Installation') ?? null;
  }

  /** Where it was opened. */
  get place(): DatabasePlace {
    return this.#place;
  }

  /**
   * Throws unless the database answers from the files that it was opened as, and takes writes: the
   * refusals DISQUE_PLEIN, DISQUE_EN_PANNE and BASE_EN_LECTURE_SEULE where the disk is at fault, BASE_ABIMEE where a page is
   * damaged, SQLite's own error otherwise.
   */
  verify(): void {
    this.#files.verify();
    this.revision();
    this.health.verify(!this.writeLock.isHeld);
  }

  /** The revision of the latest deletion that is forgotten; 0 where none is. */
  get forgottenUpTo(): number {
    return this.#tombstones.forgottenUpTo;
  }

  /**
   * Runs work in one IMMEDIATE transaction, the only door to one, and returns its result; what throws is rolled
   * back. After the commit the commit listeners are told. Throws
   * when a file that it would go to is not at its path any more, the refusal DISQUE_PLEIN when the disk
   * takes nothing more, RESTAURATION_EN_COURS after the last write (see `Transaction.endWrites`), and
   * TRAVAIL_EN_COURS while the write lock is handed over.
   */
  write<T>(work: (tx: Transaction) => T): T {
    if (this.#db.inTransaction) throw new Error('A write inside a transaction');
    if (!this.#takesWrites) throw new Refusal('RESTAURATION_EN_COURS');
    this.writeLock.requireFree();
    this.#files.verify();
    this.health.commit(() => this.history.begin());
    const tx = this.#newTransaction();
    const transaction = this.#db.transaction(() => {
      const result = work(tx);
      this.#tombstones.date();
      return result;
    });
    const result = this.health.commit(() => transaction.immediate());
    this.#takesWrites = !tx.isLast;
    this.#listeners.notify();
    return result;
  }

  /**
   * Hands the write lock over to a connection of another thread until the work has settled, and tells the
   * commit listeners what that has written. A stray write of this connection fails at once meanwhile: waiting
   * for the file would hold up the event loop.
   */
  handOver<T>(told: string, work: () => Promise<T>): Promise<T> {
    return this.writeLock.handOver(told, async () => {
      this.health.commit(() => this.history.begin());
      this.#db.pragma('busy_timeout = 0');
      try {
        return await work();
      } catch (error) {
        // Its health is asked of this connection.
        this.health.noteLongWrite(error);
        throw error;
      } finally {
        this.#db.pragma(`busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
        this.#listeners.notify();
      }
    });
  }

  /** False once the last write is committed; see `Transaction.endWrites`. */
  get takesWrites(): boolean {
    return this.#takesWrites;
  }

  /** A snapshot to read in parts while others write. The caller closes it. */
  openSnapshot(): Snapshot {
    return new Snapshot(this.#place);
  }

  /** Has a listener called after each commit, until the function that this returns is called. */
  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  close(): void {
    if (!this.#db.open) return;
    this.#tombstones.close();
    this.#db.close();
    this.#lock?.release();
  }
}
