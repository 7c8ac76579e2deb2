import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect as describe } from 'node:util';
import type Sqlite from 'better-sqlite3';
import { Refusal } from '#shared/refusals';
import { ChangeCapture } from './change-capture.ts';
import {
  BUSY_TIMEOUT_MS,
  connect,
  type DatabasePlace,
  type Household,
  Reader,
  Transaction,
  Snapshot,
} from './connection.ts';
import { makeFolder, mayWrite } from './files.ts';
import { Health, OpenFiles } from './health.ts';
import { History, Tombstones } from './history.ts';
import { DatabaseLock, realPathOf } from './lock.ts';
import {
  bringUpToDate,
  inspect,
  readMigrations,
  type Migration,
  type Upgrade,
} from './migrations.ts';
import { toUnusable } from './unusable.ts';

const NO_HOUSEHOLD: Household = { tables: [], coversUrl: '' };

/**
 * The household's database: one connection to one SQLite file. Everything is synchronous, and a write is on the disk
 * when it returns. The service has one, from `open`; the thread of a long write has another, from `openBeside`.
 */
export class Database extends Reader {
  readonly health: Health;
  readonly history: History;
  /** What `open` did to a database of an earlier version; `null` for one of this version. */
  readonly upgrade: Upgrade | null;
  readonly writeLock = new WriteLock();
  /** Whether this process had no right to write the file when it was opened; a right that comes later changes nothing. */
  readonly isReadOnly: boolean;
  readonly place: DatabasePlace;
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
    const { path, tables } = place;
    const capture = new ChangeCapture(db, tables);
    const statements = new Map<string, Sqlite.Statement>();
    super(db, capture, statements);
    this.place = place;
    this.isReadOnly = !mayWrite(path);
    this.health = new Health(db, dirname(path), this.isReadOnly);
    this.#lock = lock;
    this.upgrade = upgrade;
    this.history = new History(db, { revision: () => this.revision(), isStart: lock !== null });
    this.#tombstones = new Tombstones(db);
    // The thread of a long write opens its connection while others still write.
    if (lock !== null && !this.isReadOnly) this.#tombstones.forgetDaily();
    this.#files = new OpenFiles(path);
    this.#newTransaction = () => new Transaction(db, capture, statements);
  }

  /**
   * Opens the database at a path, and makes it where there is none, with its folder. An older schema is brought up to
   * date; the database as it was is kept beside it. A file of this schema that may not be written is opened for reading.
   * Throws UnusableDatabase where the file cannot be used, which is then as it was.
   *
   * @param household left out where nothing of a household is written
   * @param announce told how long an upgrade may take, before it begins
   */
  static open(
    path: string,
    migrations: readonly Migration[] = readMigrations(),
    household: Household = NO_HOUSEHOLD,
    announce: (sentence: string) => void = () => undefined,
  ): Database {
    let lock: DatabaseLock | undefined;
    try {
      makeFolder(dirname(path));
      const real = realPathOf(path);
      lock = DatabaseLock.acquire(real);
      giveLogRights(real);
      const schema = inspect(real, migrations, lock.wasThere);
      return Database.#connect({ path: real, ...household }, lock, (db) =>
        bringUpToDate(db, real, schema, migrations, announce),
      );
    } catch (error) {
      lock?.release();
      throw toUnusable(path, error, lock?.wasThere);
    }
  }

  /** Opens a second connection, for the thread of a long write. It may write once the lock is handed over to it. */
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

  /** The name of the rules that all rows follow, as `Transaction.noteRules` was told; `null` where some may not. */
  get rules(): string | null {
    return this.value<string | null>('SELECT regles FROM Installation') ?? null;
  }

  /**
   * Throws unless the database can be read and written, in the files that were opened: DISQUE_PLEIN, DISQUE_EN_PANNE or
   * BASE_EN_LECTURE_SEULE where the disk is at fault, BASE_ABIMEE where a page is damaged, else SQLite's own error.
   */
  verify(): void {
    this.#files.verify();
    this.revision();
    this.health.verify(!this.writeLock.isHeld);
  }

  get forgottenUpTo(): number {
    return this.#tombstones.forgottenUpTo;
  }

  /**
   * Runs work in one IMMEDIATE transaction, which is rolled back where it throws; there is no other way to write. The
   * commit listeners are called after the commit. Throws SQLITE_READONLY_DBMOVED where the file has been replaced, the
   * refusals of `verify` for a disk at fault, RESTAURATION_EN_COURS after the last write (`Transaction.endWrites`), and
   * TRAVAIL_EN_COURS while the write lock is handed over.
   */
  write<T>(work: (tx: Transaction) => T): T {
    if (this.db.inTransaction) throw new Error('A write inside a transaction');
    if (!this.#takesWrites) throw new Refusal('RESTAURATION_EN_COURS');
    this.writeLock.requireFree();
    this.#files.verify();
    this.health.commit(() => this.history.begin());
    const tx = this.#newTransaction();
    const transaction = this.db.transaction(() => {
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
   * Hands the write lock over to the connection of another thread until the work has settled, and then calls the commit
   * listeners. Meanwhile a write of this connection fails at once: to wait for the file would hold up the event loop.
   *
   * @param holder what others are told that they wait for, such as « Un import »
   */
  handOver<T>(holder: string, work: () => Promise<T>): Promise<T> {
    return this.writeLock.handOver(holder, async () => {
      this.health.commit(() => this.history.begin());
      this.db.pragma('busy_timeout = 0');
      try {
        return await work();
      } catch (error) {
        // `verify` asks this connection, which has seen no failure.
        this.health.noteLongWrite(error);
        throw error;
      } finally {
        this.db.pragma(`busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
        this.#listeners.notify();
      }
    });
  }

  /** False once a write that called `Transaction.endWrites` is committed. */
  get takesWrites(): boolean {
    return this.#takesWrites;
  }

  /** The present state, to be read in parts while others write. The caller closes it. */
  openSnapshot(): Snapshot {
    return new Snapshot(this.place);
  }

  onCommit(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  close(): void {
    if (!this.db.open) return;
    this.#tombstones.close();
    this.db.close();
    this.#lock?.release();
  }
}

/** Gives the log of a database the rights of its file: they may be those of a time when it was for reading only. */
function giveLogRights(path: string): void {
  if (!existsSync(path) || !mayWrite(path)) return;
  for (const companion of [`${path}-wal`, `${path}-shm`])
    if (existsSync(companion) && !mayWrite(companion)) chmodSync(companion, statSync(path).mode);
}

/**
 * The right to write. SQLite gives it to one connection at a time: for a long write this is the connection of another
 * thread, and whoever wants to write in this one waits without holding up the event loop.
 */
export class WriteLock {
  #holder: { readonly name: string; readonly released: Promise<undefined> } | null = null;

  get isHeld(): boolean {
    return this.#holder !== null;
  }

  /** Throws `TRAVAIL_EN_COURS` while another connection holds the lock. */
  requireFree(): void {
    if (this.#holder !== null)
      throw new Refusal('TRAVAIL_EN_COURS', { travail: this.#holder.name });
  }

  /**
   * Runs work as soon as the lock is free, at once where it is.
   *
   * @param maxMs throws `TRAVAIL_EN_COURS` after so many milliseconds
   */
  async whenFree<T>(work: () => T, maxMs = Infinity): Promise<Awaited<T>> {
    // Not by the time of day, which may be set back meanwhile.
    const end = performance.now() + maxMs;
    // In a loop: another one that waits may take the lock first.
    while (this.#holder !== null) {
      const left = end - performance.now();
      if (left <= 0) this.requireFree();
      await Promise.race([this.#holder.released, ...(left < Infinity ? [pause(left)] : [])]);
    }
    return await work();
  }

  async handOver<T>(name: string, work: () => Promise<T>): Promise<T> {
    this.requireFree();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#holder = { name, released: promise };
    try {
      return await work();
    } finally {
      this.#holder = null;
      resolve(undefined);
    }
  }
}

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });

/**
 * The listeners to one kind of event. What they hear of has happened: the error of one is written to standard error,
 * and neither the others nor the caller are kept from going on.
 */
export class Listeners<T extends unknown[]> {
  readonly #listeners = new Set<(...event: T) => void>();

  /** Adds a listener, called after the earlier ones, until the returned function is called. */
  add(listener: (...event: T) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(...event: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(...event);
      } catch (error) {
        process.stderr.write(`A listener failed: ${describe(error)}\n`);
      }
    }
  }
}
