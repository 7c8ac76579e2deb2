import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { inspect as describe } from 'node:util';
import Sqlite from 'better-sqlite3';
import { Refusal } from '#shared/refusals';
import type { Travail } from '#shared/travaux';
import { turnsApart } from '#server/plumbing/common/slices';
import { putPending } from './backup/pending.ts';
import { ChangeCapture } from './change-capture.ts';
import {
  connect,
  type DatabaseOptions,
  type DatabaseConfig,
  Reader,
  Transaction,
  Snapshot,
} from './connection.ts';
import { everyDay } from './daily.ts';
import { FULL } from '#server/plumbing/common/system-errors';
import { freeBytes, isAlmostFull, makeFolder, mayWrite, MIN_FREE_BYTES } from './files.ts';
import { History, Tombstones } from './history.ts';
import { lockDatabase, realPathOf, type DatabaseLock } from './lock.ts';
import {
  bringUpToDate,
  inspect,
  readMigrations,
  schemaOf,
  type Migration,
  type Upgrade,
} from './migrations.ts';
import { toUnusable } from './unusable.ts';
import { FileNotes, LogKeeper, logOf } from './write-ahead-log.ts';

interface Preparation {
  readonly upgrade: Upgrade | null;
  readonly isNew: boolean;
}

const NO_HOUSEHOLD: DatabaseConfig = { tables: {}, coversUrl: '' };

/** Large writes read back what they wrote, beyond 2 MB; the memory is freed with the thread. */
const CACHE_OF_LONG_WRITE_KB = 16_000;

/**
 * A connection to the household's SQLite file. Calls are synchronous, and a write is on the disk when it returns. The
 * service has one connection, from `open`; the thread of a long write has another, from `openBeside`.
 */
export class Database extends Reader {
  readonly health: Health;
  readonly history: History;
  readonly tombstones: Tombstones;
  /** `null` where the file had this version's schema. */
  readonly upgrade: Upgrade | null;
  /** Whether the database was created by this start. */
  readonly isNew: boolean;
  readonly writeLock = new WriteLock();
  /** Whether the file was not writable when it was opened. A right given later has no effect. */
  readonly isReadOnly: boolean;
  readonly options: DatabaseOptions;
  readonly #lock: DatabaseLock | null;
  readonly #verifyFiles: () => void;
  readonly #fileNotes: FileNotes;
  readonly #newTransaction: () => Transaction;
  readonly #begin: Sqlite.Statement;
  readonly #commit: Sqlite.Statement;
  readonly #rollback: Sqlite.Statement;
  readonly #listeners = new Set<() => void>();
  /** The thread of a long write leaves the log to the service's own connection. */
  readonly #log: LogKeeper | null;
  #endDaily: () => void = () => undefined;
  #takesWrites = true;

  private constructor(
    db: Sqlite.Database,
    options: DatabaseOptions,
    lock: DatabaseLock | null,
    { upgrade, isNew }: Preparation,
  ) {
    const { path, tables } = options;
    const capture = new ChangeCapture(db, tables);
    const statements = new Map<string, Sqlite.Statement>();
    super(db, capture, statements);
    this.options = options;
    this.isReadOnly = !mayWrite(path);
    this.health = new Health(db, dirname(path), this.isReadOnly);
    this.#lock = lock;
    this.#log = lock === null || this.isReadOnly ? null : new LogKeeper(db);
    this.upgrade = upgrade;
    this.isNew = isNew;
    this.history = new History(db, { revision: () => this.revision(), isStart: lock !== null });
    this.tombstones = new Tombstones(db);
    // Others still write while the thread of a long write opens its connection.
    if (lock !== null && !this.isReadOnly) {
      while (this.tombstones.forget());
      this.#endDaily = everyDay(() =>
        this.#inTurns(() => this.health.commit(() => this.tombstones.forget())),
      );
    }
    this.#verifyFiles = fileCheck(path);
    this.#fileNotes = new FileNotes(path);
    this.#newTransaction = () => new Transaction(db, capture, statements);
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
  }

  /**
   * Opens or creates the database at a path. An older schema is upgraded, and a copy of the former database stays
   * beside it. An unwritable file of the present schema is opened for reading. Throws UnusableDatabase and leaves the
   * file unchanged.
   *
   * @param announce called with the expected duration before an upgrade
   */
  static open(
    path: string,
    migrations: readonly Migration[] = readMigrations(),
    household: DatabaseConfig = NO_HOUSEHOLD,
    announce: (sentence: string) => void = () => undefined,
  ): Database {
    let lock: DatabaseLock | undefined;
    try {
      makeFolder(dirname(path));
      const real = realPathOf(path);
      lock = lockDatabase(real);
      giveLogRights(real);
      putPending(real);
      const schema = inspect(real, migrations, { isKnown: lock.wasThere });
      return Database.#connect({ path: real, ...household }, lock, (db) => ({
        upgrade: bringUpToDate(db, real, schema, migrations, announce),
        isNew: schema === 0,
      }));
    } catch (error) {
      lock?.release();
      throw toUnusable(path, error, lock?.wasThere);
    }
  }

  static openBeside(options: DatabaseOptions): Database {
    const database = Database.#connect(options, null);
    database.neverBlock();
    database.db.pragma(`cache_size = -${String(CACHE_OF_LONG_WRITE_KB)}`);
    return database;
  }

  static #connect(
    options: DatabaseOptions,
    lock: DatabaseLock | null,
    prepare: (db: Sqlite.Database) => Preparation = () => ({ upgrade: null, isNew: false }),
  ): Database {
    const db = connect(options);
    try {
      return new Database(db, options, lock, prepare(db));
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /**
   * Makes writes fail at once with SQLITE_BUSY while another program has the file's lock, since SQLite would block
   * the event loop. `writeLock` retries.
   */
  neverBlock(): void {
    this.db.pragma('busy_timeout = 0');
  }

  /** The rules that all rows follow, as noted by `Transaction.noteRules`; `null` where some may not. */
  get rules(): string | null {
    return this.value<string | null>('SELECT regles FROM Installation') ?? null;
  }

  /**
   * Throws unless the database can be read and written, in the files that were opened: DISQUE_PLEIN, DISQUE_EN_PANNE or
   * BASE_EN_LECTURE_SEULE where the disk fails, BASE_ABIMEE where a page is damaged, else SQLite's own error.
   */
  verify(): void {
    this.#verifyFiles();
    this.revision();
    this.health.verify(!this.writeLock.isHeld);
  }

  /**
   * Runs work in one IMMEDIATE transaction, the only way to write, then calls the commit listeners. In a service only
   * `writeLock` calls it. Throws SQLITE_READONLY_DBMOVED if the file was replaced, the refusals of `verify`,
   * RESTAURATION_EN_COURS after `Transaction.isLast`, TRAVAIL_EN_COURS while the write lock is handed over, and
   * SQLITE_BUSY before any work while another program has the lock.
   */
  write<T>(work: (tx: Transaction) => T): T {
    if (this.db.inTransaction) throw new Error('A write inside a transaction');
    this.writeLock.requireFree();
    this.#requireWritable();
    this.health.commit(() => this.history.begin());
    const tx = this.#newTransaction();
    const result = this.health.commit(() => this.#transact(tx, work));
    if (tx.isRolledBack) return result;
    this.#takesWrites = !tx.isLast;
    this.#notifyCommit();
    return result;
  }

  #transact<T>(tx: Transaction, work: (tx: Transaction) => T): T {
    const note = this.#fileNotes.due();
    this.#begin.run();
    try {
      if (tx.holdsForeignWrites) tx.noteRules(null);
      tx.noteFile(note);
      const result = work(tx);
      if (result instanceof Promise) throw new TypeError('A write may not wait');
      if (tx.isRolledBack) this.#rollback.run();
      else {
        this.tombstones.date();
        tx.noteRevision();
        this.#commit.run();
        this.#fileNotes.keep(note);
      }
      return result;
    } catch (error) {
      // SQLite itself rolls back on some errors, such as a full disk.
      if (this.db.inTransaction) this.#rollback.run();
      throw error;
    }
  }

  /**
   * Runs low-priority writes in short transactions, between which other writes run.
   *
   * @param work writes a short batch and returns whether more may be left
   */
  async writeInTurns(work: (tx: Transaction) => boolean): Promise<void> {
    await this.#inTurns(() => this.write(work));
  }

  async #inTurns(turn: () => boolean): Promise<void> {
    while (await this.writeLock.inBackground(turn)) await this.writeLock.yieldToWaiters();
  }

  /**
   * Hands the write lock to another thread's connection until the work settles, then calls the commit listeners.
   * Meanwhile writes of this connection fail at once. Throws like `write` if nothing may be written any more.
   *
   * @param holder named to those who wait, such as an import
   */
  handOver<T>(holder: Travail, work: () => Promise<T>): Promise<T> {
    this.#requireWritable();
    return this.writeLock.handOver(holder, async () => {
      this.health.commit(() => this.history.begin());
      try {
        return await work();
      } catch (error) {
        // The other connection saw the failure; `verify` checks by this one.
        this.health.noteLongWrite(error);
        throw error;
      } finally {
        this.#notifyCommit();
      }
    });
  }

  #requireWritable(): void {
    if (!this.#takesWrites) throw new Refusal('RESTAURATION_EN_COURS');
    this.#verifyFiles();
  }

  /** Errors of a listener go to standard error: the commit has happened, and the other listeners still have to run. */
  #notifyCommit(): void {
    this.#log?.noteWrite();
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (error) {
        process.stderr.write(`A listener failed: ${describe(error)}\n`);
      }
    }
  }

  get takesWrites(): boolean {
    return this.#takesWrites;
  }

  openSnapshot(): Snapshot {
    return new Snapshot(this.options);
  }

  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    if (!this.db.open) return;
    this.#endDaily();
    this.#log?.close();
    this.db.close();
    this.#lock?.release();
  }
}

/** The log may have the rights of a time when the file was read-only. */
function giveLogRights(path: string): void {
  if (!existsSync(path) || !mayWrite(path)) return;
  for (const companion of [logOf(path), `${path}-shm`])
    if (existsSync(companion) && !mayWrite(companion)) chmodSync(companion, statSync(path).mode);
}

/** How long a write waits for another program before the file counts as unreachable. */
const MAX_BUSY_MS = 4_000;
/** How often the file's lock is tried. */
const BUSY_PERIOD_MS = 20;

/**
 * The right to write, which SQLite gives one connection at a time. The thread of a long write or another program may
 * have it: writes of this thread then wait without blocking the event loop.
 */
export class WriteLock {
  #holder: { readonly name: Travail; readonly released: Promise<undefined> } | null = null;
  /** While another program has the lock: SQLite's error and the time of the next try. */
  #busy: { readonly error: unknown; readonly nextTry: Promise<void> } | null = null;
  /** Writes that have waited together each run in an event-loop turn of their own, with other work in between. */
  readonly #ownTurn = turnsApart();

  get isHeld(): boolean {
    return this.#holder !== null;
  }

  requireFree(): void {
    if (this.#holder !== null)
      throw new Refusal('TRAVAIL_EN_COURS', { travail: this.#holder.name });
  }

  /**
   * Throws `TRAVAIL_EN_COURS` after `maxMs`, and SQLITE_BUSY where another program has the lock for four seconds.
   *
   * @param work called again as long as it throws SQLITE_BUSY, so it must do nothing before its first write
   */
  whenFree<T>(work: () => T, maxMs = Infinity): Promise<Awaited<T>> {
    return this.#whenFree(work, { maxMs, maxBusyMs: MAX_BUSY_MS });
  }

  /** Resolves once the writes that wait already have had a chance to take the lock. */
  async yieldToWaiters(): Promise<void> {
    // By then the writes that were notified of the release are queued.
    await setImmediate();
    await this.#ownTurn();
  }

  /** Like `whenFree` for background work: fails when the database is closed. */
  inBackground<T>(work: () => T): Promise<Awaited<T>> {
    return this.#whenFree(work, { maxMs: Infinity, maxBusyMs: Infinity });
  }

  async #whenFree<T>(
    work: () => T,
    { maxMs, maxBusyMs }: { readonly maxMs: number; readonly maxBusyMs: number },
  ): Promise<Awaited<T>> {
    // The time of day may be set back meanwhile.
    const end = performance.now() + maxMs;
    let busyEnd = end;
    // In a loop, since another waiting write may take the lock first.
    for (;;) {
      const now = performance.now();
      if (this.#holder !== null) {
        const left = end - now;
        if (left <= 0) this.requireFree();
        await Promise.race([this.#holder.released, ...(left < Infinity ? [pause(left)] : [])]);
        busyEnd = end;
        await this.#ownTurn();
      } else if (this.#busy !== null) {
        busyEnd = Math.min(busyEnd, now + maxBusyMs);
        if (now >= busyEnd) throw this.#busy.error;
        await this.#busy.nextTry;
        await this.#ownTurn();
      } else {
        try {
          return await work();
        } catch (error) {
          if (!isBusy(error)) throw error;
          const nextTry = delay(BUSY_PERIOD_MS).then(() => void (this.#busy = null));
          this.#busy ??= { error, nextTry };
        }
      }
    }
  }

  async handOver<T>(name: Travail, work: () => Promise<T>): Promise<T> {
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

/** Whether another program has the lock; nothing is written then. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });

// The disk

const OF_THE_DISK = ['DISQUE_PLEIN', 'DISQUE_EN_PANNE', 'BASE_EN_LECTURE_SEULE'] as const;

class Health {
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

  /** Makes the next `verify` read every page, after a damaged page was found. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Records a failure of another connection. */
  noteLongWrite(error: unknown): void {
    if (!(error instanceof Refusal)) return;
    this.#writeFailed ||= OF_THE_DISK.some((code) => code === error.code);
  }

  /**
   * Throws a refusal instead of SQLite's error if the disk fails. Recovery is found by `verify`, since not every
   * transaction writes.
   */
  commit<T>(transaction: () => T): T {
    try {
      return transaction();
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

  /** Read from the disk, not from SQLite's cache: the file may have been repaired. */
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

  /** Changes with the file, and with a commit of another connection, which is first in the log. */
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
    this.#writeFailed = false;
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
 * Returns a check that throws SQLITE_READONLY_DBMOVED, in some 10 µs, if an open database or its log was deleted or
 * replaced: SQLite would go on writing to the orphaned inode. Call it after the first read, since the log does not
 * exist before.
 */
function fileCheck(database: string): () => void {
  const paths = [database, logOf(database)];
  const inodes = paths.map(inodeOf);
  return () => {
    if (paths.some((path, index) => inodeOf(path) !== inodes[index]))
      throw new Sqlite.SqliteError('A file of the database has gone', 'SQLITE_READONLY_DBMOVED');
  };
}

const inodeOf = (path: string): bigint | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
