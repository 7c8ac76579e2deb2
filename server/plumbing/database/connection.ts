import Sqlite from 'better-sqlite3';
import { fallbackCoverUrl } from '#shared/couvertures';
import { formatIsbn } from '#shared/isbn-format';
import { cleRegroupement, normaliser, textKey } from '#shared/text';
import type { Row } from '#shared/change-reader';
import type { ChangeCapture, HouseholdTables } from './change-capture.ts';
import { BUSY_TIMEOUT_MS, openToRead } from './migrations.ts';
import { logOf, sizeOf } from './write-ahead-log.ts';

export interface DatabaseConfig {
  readonly tables: HouseholdTables;
  /** The site whose covers stand in for missing ones. */
  readonly coversUrl: string;
}

export interface DatabaseOptions extends DatabaseConfig {
  readonly path: string;
}

export function connect({
  path,
  coversUrl,
}: Pick<DatabaseOptions, 'path' | 'coversUrl'>): Sqlite.Database {
  const db = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // The log grows during a long read and would stay so; 16 MiB are four times its usual size.
    db.pragma('journal_size_limit = 16777216');
    // SQLite's default of 2 MB: books are read from memory, and the driver's 16 MB would never be freed.
    db.pragma('cache_size = -2000');
    // Without this pragma INSERT OR REPLACE fires no delete triggers, and the journal would miss
    // the deletion.
    db.pragma('recursive_triggers = ON');
    registerFunctions(db, coversUrl);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Registers the functions of `shared/` for SQL; anything but a text gives NULL. Stored triggers and indexes use none,
 * so that any SQLite can read the file.
 *
 * @param coversUrl the site whose covers stand in for missing ones
 */
export function registerFunctions(db: Sqlite.Database, coversUrl: string): void {
  define(db, 'normaliser', normaliser);
  define(db, 'cle_regroupement', cleRegroupement);
  define(db, 'cle_texte', textKey);
  define(db, 'format_isbn', formatIsbn);
  define(db, 'couverture_de_secours', (isbn) => fallbackCoverUrl(coversUrl, isbn));
  const options = { varargs: true, directOnly: true };
  for (const name of OF_OLDER_ROWS) db.function(name, options, failOnRow);
  db.aggregate('nom_le_plus_presentable', { ...options, step: failOnRow });
}

/**
 * Functions that migrations up to 086 call for each row. These migrations run on empty tables alone: a file with fewer
 * is refused.
 */
const OF_OLDER_ROWS = [
  'arguments_de_la_phrase',
  'cle_oeuvre',
  'lire_isbn',
  'raison_de_la_phrase',
  'texte_des_etapes',
  'texte_net',
  'une_ligne',
];

function failOnRow(): never {
  throw new Error('A migration reads a row of an older version');
}

function define(db: Sqlite.Database, name: string, rule: (text: string) => string | null): void {
  db.function(name, { deterministic: true, directOnly: true }, (value: unknown) =>
    typeof value === 'string' ? rule(value) : null,
  );
}

type ReadStatement<Params extends unknown[] | object, Row> = Pick<
  Sqlite.Statement<Params, Row>,
  'all' | 'get' | 'iterate' | 'columns'
>;

/** Read access to the household's database. A function that takes a Reader writes nothing. */
export class Reader {
  readonly capture: ChangeCapture;
  protected readonly db: Sqlite.Database;
  readonly #statements: Map<string, Sqlite.Statement>;

  constructor(
    db: Sqlite.Database,
    capture: ChangeCapture,
    statements: Map<string, Sqlite.Statement>,
  ) {
    this.db = db;
    this.capture = capture;
    this.#statements = statements;
  }

  /** 0 in an empty database. The journal may have forgotten its line. */
  revision(): number {
    return this.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'Journal'") ?? 0;
  }

  /** Whether another program has written records since this service's last write: they may follow no rule. */
  get holdsForeignWrites(): boolean {
    return this.value('SELECT revisionEcrite FROM Installation') !== this.revision();
  }

  /**
   * The compiled statement of a reading SQL text; throws for a writing one. Statements are shared by their text: do
   * not change `pluck`, `raw` or `expand`.
   */
  prepare<Params extends unknown[] | object = [], Row = unknown>(
    sql: string,
  ): ReadStatement<Params, Row> {
    const statement = this.compiled<Params, Row>(sql);
    if (!statement.readonly) throw new Error(`Only a transaction writes: ${sql}`);
    return statement;
  }

  /** Takes one parameter for each `?`, or one object of named ones. */
  all<Row>(sql: string, ...params: unknown[]): Row[] {
    return this.prepare<unknown[], Row>(sql).all(...params);
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- TypeScript cannot read SQL: who writes the text says what its rows are
  get<Row>(sql: string, ...params: unknown[]): Row | undefined {
    return this.prepare<unknown[], Row>(sql).get(...params);
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as for `get`: who writes the text says what its column is
  value<T>(sql: string, ...params: unknown[]): T | undefined {
    const row = this.get<Record<string, T>>(sql, ...params);
    return row && Object.values(row)[0];
  }

  /** The first column of all rows, without NULL. */
  values<T>(sql: string, ...params: unknown[]): T[] {
    return this.all<Record<string, T>>(sql, ...params).flatMap(
      (row) => Object.values(row)[0] ?? [],
    );
  }

  /** An identifier that copies and backups of this database share. */
  get householdId(): string {
    return this.value<string>('SELECT bibliotheque FROM Installation') ?? '';
  }

  read<T>(work: () => T): T {
    return this.db.inTransaction ? work() : this.db.transaction(work).deferred();
  }

  protected compiled<Params extends unknown[] | object, Row>(
    sql: string,
  ): Sqlite.Statement<Params, Row> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- TypeScript cannot read SQL: who writes the text says what it takes and gives; the map holds statements of all texts
    return statement as unknown as Sqlite.Statement<Params, Row>;
  }
}

const SET_CHANGESET_ID = 'UPDATE temp.PendingChangeset SET id = ?';

/** An open write: `Database.write` hands it out, and it writes nothing once that has returned. */
export class Transaction extends Reader {
  /** After its commit every other write is refused with `RESTAURATION_EN_COURS` until the database is reopened. */
  isLast = false;
  /** Whether to roll back instead of committing. Cheaper than a savepoint around much work. */
  isRolledBack = false;
  #hasDeferred = false;

  override prepare<Params extends unknown[] | object = [], Row = unknown>(
    sql: string,
  ): Sqlite.Statement<Params, Row> {
    if (!this.db.inTransaction) throw new Error('The write has ended');
    return this.compiled<Params, Row>(sql);
  }

  run(sql: string, ...params: unknown[]): Sqlite.RunResult {
    return this.prepare<unknown[]>(sql).run(...params);
  }

  /** Runs work in a savepoint, which is rolled back where it throws. SQLite is many times slower around much work. */
  attempt<T>(work: () => T): T {
    return this.db.transaction(work)();
  }

  /** Has foreign keys checked at the end of the write. Done once: SQLite recompiles all statements after it. */
  deferForeignKeys(): void {
    if (this.#hasDeferred) return;
    this.#hasDeferred = true;
    this.run('PRAGMA defer_foreign_keys = ON');
  }

  /** Captures changes from now on in a changeset. */
  beginCapture(modificationId: number): void {
    this.run(SET_CHANGESET_ID, modificationId);
  }

  endCapture(): void {
    this.run(SET_CHANGESET_ID, 0);
  }

  /**
   * Captures the changes of work in a changeset. For bulk inserts: new rows are captured once at the end, by one
   * statement a table, in a seventh of the time of the triggers.
   */
  captureInBulk<T>(modificationId: number, work: () => T): T {
    const { open, close } = this.capture.largeChangeset();
    this.run(open, { modificationId });
    const result = work();
    for (const sql of this.capture.linesOfNewRows()) this.run(sql);
    this.run(close, { modificationId: 0 });
    return result;
  }

  noteRules(rules: string | null): void {
    this.run('UPDATE Installation SET regles = @rules WHERE regles IS NOT @rules', { rules });
  }

  /**
   * Records the state of the database file in the log, and in the file itself by its first write, for
   * `requireMatchingLog`.
   *
   * @param note of `FileNotes`
   */
  noteFile(note: string | null): void {
    if (note !== null) this.run('UPDATE Installation SET noteFichier = ?', note);
    if (sizeOf(logOf(this.db.name)) > 0) return;
    this.run('UPDATE Installation SET revisionFichier = @revision', { revision: this.revision() });
  }

  /** Notes that all records up to the present revision were written by this service. */
  noteRevision(): void {
    this.run(
      'UPDATE Installation SET revisionEcrite = @revision WHERE revisionEcrite IS NOT @revision',
      { revision: this.revision() },
    );
  }
}

/** A snapshot of the database, read while others write. Close it soon: the log grows meanwhile. */
export class Snapshot {
  readonly #db: Sqlite.Database;

  constructor({ path, coversUrl }: DatabaseOptions) {
    this.#db = openToRead(path);
    registerFunctions(this.#db, coversUrl);
    // A sort that spills to a full disk would cut an answer in its middle.
    this.#db.pragma('temp_store = MEMORY');
    this.#db.exec('BEGIN');
    // The transaction begins with its first read.
    this.#db.prepare('SELECT 1 FROM sqlite_schema').get();
  }

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
