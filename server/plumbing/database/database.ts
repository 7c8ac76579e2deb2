import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect as describe } from 'node:util';
import { randomBytes } from 'node:crypto';
import Sqlite from 'better-sqlite3';
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
import {
  diskRefusal,
  freeBytes,
  giveLogRights,
  isAlmostFull,
  makeFolder,
  mayWrite,
  MIN_FREE_BYTES,
  toUnusable,
} from './disk-errors.ts';
import { DatabaseLock, realPathOf } from './lock.ts';
import {
  bringUpToDate,
  inspect,
  readMigrations,
  schemaOf,
  type Migration,
  type Upgrade,
} from './migrations.ts';
import { everyDay } from './daily.ts';

const NO_HOUSEHOLD: Household = { tables: [], coversUrl: '' };

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
    const { path, tables } = place;
    const capture = new ChangeCapture(db, tables);
    const statements = new Map<string, Sqlite.Statement>();
    super(db, capture, statements);
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
   * @param household left out where nothing of a household is written
   * @param announce told before an upgrade how long it may take
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
   * Hands the write lock over to a connection of another thread until the work has settled, and tells the
   * commit listeners what that has written. A stray write of this connection fails at once meanwhile: waiting
   * for the file would hold up the event loop.
   */
  handOver<T>(told: string, work: () => Promise<T>): Promise<T> {
    return this.writeLock.handOver(told, async () => {
      this.health.commit(() => this.history.begin());
      this.db.pragma('busy_timeout = 0');
      try {
        return await work();
      } catch (error) {
        // Its health is asked of this connection.
        this.health.noteLongWrite(error);
        throw error;
      } finally {
        this.db.pragma(`busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
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
    if (!this.db.open) return;
    this.#tombstones.close();
    this.db.close();
    this.#lock?.release();
  }
}

interface Holder {
  /** What the other connection does, « Un import ». */
  readonly told: string;
  readonly released: Promise<undefined>;
}

/**
 * The right to write, of which SQLite has one for a file: a connection of another thread holds it for a long
 * write, and whoever wants to write here waits without holding up the event loop.
 */
export class WriteLock {
  #holder: Holder | null = null;

  /** Throws `TRAVAIL_EN_COURS` while another connection holds the lock. */
  requireFree(): void {
    if (this.#holder !== null)
      throw new Refusal('TRAVAIL_EN_COURS', { travail: this.#holder.told });
  }

  get isHeld(): boolean {
    return this.#holder !== null;
  }

  /**
   * Runs work as soon as the lock is free, at once where it is.
   *
   * @param maxMs throws `TRAVAIL_EN_COURS` after this long, in milliseconds
   */
  async whenFree<T>(work: () => T, maxMs = Infinity): Promise<Awaited<T>> {
    const start = Date.now();
    // In a loop: another of those that wait may have taken it first.
    while (this.#holder !== null) {
      const left = start + maxMs - Date.now();
      if (left <= 0) this.requireFree();
      await Promise.race([this.#holder.released, ...(left < Infinity ? [pause(left)] : [])]);
    }
    return await work();
  }

  /** Gives the lock to another connection until the work has settled. */
  async handOver<T>(told: string, work: () => Promise<T>): Promise<T> {
    this.requireFree();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#holder = { told, released: promise };
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
 * The files of an open database: itself and its write-ahead log. After one of them is deleted or
 * replaced SQLite keeps writing to the orphaned inode, and what it acknowledges is lost with it.
 */
class OpenFiles {
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

/**
 * The subscribers to one kind of event. The event cannot be undone when they hear of it, so a
 * listener that throws is written to standard error; the others still run, and so does the caller.
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

const OF_THE_DISK = ['DISQUE_PLEIN', 'DISQUE_EN_PANNE', 'BASE_EN_LECTURE_SEULE'] as const;

/** Whether a database takes writes and all of it can be read, as the last failures say. */
class Health {
  readonly #db: Sqlite.Database;
  readonly #folder: string;
  #writeFailed: boolean;
  #isDoubted = false;
  /** What the file was when a page was found to be damaged; to read all of it again would find the same. */
  #damaged = '';

  constructor(db: Sqlite.Database, folder: string, isReadOnly: boolean) {
    this.#db = db;
    this.#folder = folder;
    this.#writeFailed = isReadOnly;
  }

  /** The number of the last migration. */
  get schema(): number {
    return schemaOf(this.#db);
  }

  /** How much more the disk takes, in bytes. */
  get freeBytes(): number {
    return freeBytes(this.#folder);
  }

  /** Has the next `verify` read every page: one was found to be damaged. */
  doubt(): void {
    this.#isDoubted = true;
  }

  /** Remembers that a long write of another connection failed for want of a disk. */
  noteLongWrite(error: unknown): void {
    if (!(error instanceof Refusal)) return;
    this.#writeFailed ||= OF_THE_DISK.some((code) => code === error.code);
  }

  /** Remembers whether the disk takes writes, and gives its failure the name of a refusal. */
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

  /**
   * Throws what is wrong.
   *
   * @param mayWrite false while the write lock is another's
   */
  verify(mayWrite: boolean): void {
    if (this.#isDoubted) this.#readEveryPage();
    const isDoubtful = this.#writeFailed || isAlmostFull(this.#folder);
    if (isDoubtful && mayWrite) this.#tryToWrite();
  }

  /** From the disk, and not as it was found: it may have been mended since. */
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

  /** Changes with the file, and with a commit of another connection, which is in the log first. */
  #state(): string {
    const { ino, mtimeNs } = statSync(this.#db.name, { bigint: true });
    return [ino, mtimeNs, this.#db.pragma('data_version', { simple: true })].join(' ');
  }

  /** Tries the disk: writes as many bytes as one write may need, then removes them. */
  #tryToWrite(): void {
    const probe = this.#db.transaction(() => {
      this.#db.exec(`DROP TABLE IF EXISTS WriteProbe;
        CREATE TABLE WriteProbe AS SELECT zeroblob(${String(MIN_FREE_BYTES)}) AS bytes`);
    });
    this.commit(() => probe.immediate());
    this.#db.exec('DROP TABLE WriteProbe');
  }
}

/** How many are remembered; a copy that has seen none of them is made anew. */
const KEPT = 1000;

/**
 * The history that the revisions of a database belong to. Its epoch is drawn with the database and by each restore of
 * a backup, a generation at each start, with its first write. A generation keeps the revision from which on it has
 * given the next ones: what a copy has seen of an earlier one beyond that went with files that others were put in
 * place of.
 */
export class History {
  readonly epoque: string;
  readonly #db: Sqlite.Database;
  readonly #revision: () => number;
  #generation: string | undefined;
  #isDue: boolean;

  /** @param isStart whether another generation begins: until the first write nothing is given that the last has not */
  constructor(
    db: Sqlite.Database,
    { revision, isStart }: { revision: () => number; isStart: boolean },
  ) {
    this.#db = db;
    this.#revision = revision;
    this.#isDue = isStart;
    this.epoque = storedIn(db) ?? drawEpoque(db);
  }

  /** Stands for it in what others keep: the epoch, and the generation that gives the revisions now, if there is one yet. */
  get origin(): string {
    return [this.epoque, this.#current].filter(Boolean).join('-');
  }

  /** Whether a revision that was given under an origin is one of this history. */
  holds(origin: string, revision: number): boolean {
    const [epoque, generation = ''] = origin.split('-');
    if (epoque !== this.epoque || revision > this.#revision()) return false;
    return generation === this.#current || revision <= this.#endOf(generation);
  }

  /** Begins the generation that is due, if any; to be called before each write. */
  begin(): void {
    if (!this.#isDue) return;
    const nom = randomBytes(8).toString('hex');
    const run = (sql: string, ...values: unknown[]) => this.#db.prepare(sql).run(...values);
    this.#db
      .transaction(() => {
        run('INSERT INTO Generation (nom, revision) VALUES (?, ?)', nom, this.#revision());
        run(
          'DELETE FROM Generation WHERE numero <= (SELECT max(numero) FROM Generation) - ?',
          KEPT,
        );
      })
      .immediate();
    this.#generation = nom;
    this.#isDue = false;
  }

  get #current(): string {
    this.#generation ??= this.#db
      .prepare<[], string>('SELECT nom FROM Generation ORDER BY numero DESC LIMIT 1')
      .pluck()
      .get();
    return this.#generation ?? '';
  }

  /** The last revision of an earlier generation, '' for what was before the first; -1 where it is not known. */
  #endOf(nom: string): number {
    return (
      this.#db
        .prepare<{ nom: string }, number>(
          `SELECT revision FROM Generation
           WHERE numero = 1 + iif(@nom = '', 0, (SELECT numero FROM Generation WHERE nom = @nom))`,
        )
        .pluck()
        .get({ nom }) ?? -1
    );
  }
}

const storedIn = (db: Sqlite.Database): string | undefined =>
  db.prepare<[], string>('SELECT epoque FROM Installation').pluck().get();

/** Gives a database another epoch, as a restored one has to have, and returns it. */
export function drawEpoque(db: Sqlite.Database): string {
  const drawn = randomBytes(16).toString('hex');
  db.prepare(
    'INSERT INTO Installation (id, epoque) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET epoque = excluded.epoque',
  ).run(drawn);
  return drawn;
}

/** How long a deletion is remembered (docs/rules.md § 28). */
const MEMORY_DAYS = 400;
const DAY_MS = 86_400_000;

/**
 * The lines of the journal that tell of deletions. They are forgotten after 400 days, once a
 * day; the time is that of the process, to the day.
 */
export class Tombstones {
  readonly #db: Sqlite.Database;
  readonly #noteDate: Sqlite.Statement<[string]>;
  readonly #endTimer: () => void;

  constructor(db: Sqlite.Database) {
    this.#db = db;
    this.#noteDate = db.prepare<[string]>(
      `INSERT INTO JournalDate (date, revision)
       SELECT ?, seq FROM sqlite_sequence
       WHERE name = 'Journal' AND seq > (SELECT coalesce(max(revision), 0) FROM JournalDate)
       ON CONFLICT (date) DO UPDATE SET revision = excluded.revision`,
    );
    this.#endTimer = everyDay(() => this.forget());
  }

  /** The revision of the latest deletion that was forgotten; 0 where none was. */
  get forgottenUpTo(): number {
    return Number(this.#db.prepare('SELECT revisionMin FROM Installation').pluck().get());
  }

  /** Dates the changes of the open transaction. Call it before the commit. */
  date(): void {
    this.#noteDate.run(dayOf(Date.now()));
  }

  /** Removes the lines of deletions that are older than 400 days. */
  forget(): void {
    const cutoff = dayOf(Date.now() - MEMORY_DAYS * DAY_MS);
    const run = (sql: string) => this.#db.prepare<{ cutoff: string }>(sql).run({ cutoff });
    const old = `supprime = 1
      AND revision <= (SELECT max(revision) FROM JournalDate WHERE date < @cutoff)`;
    this.#db
      .transaction(() => {
        run(`UPDATE Installation SET revisionMin =
          max(revisionMin, coalesce((SELECT max(revision) FROM Journal WHERE ${old}), 0))`);
        run(`DELETE FROM Journal WHERE ${old}`);
        run('DELETE FROM JournalDate WHERE date < @cutoff');
      })
      .immediate();
  }

  close(): void {
    this.#endTimer();
  }
}

/** The day of a moment in UTC, as `2026-11-20`. */
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
