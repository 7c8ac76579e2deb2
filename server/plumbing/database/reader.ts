import type Sqlite from 'better-sqlite3';
import type { HouseholdTables } from './change-capture.ts';

/** A statement that reads, as who writes its SQL says what it takes and gives. */
type Reading<Params extends unknown[] | object, Row> = Pick<
  Sqlite.Statement<Params, Row>,
  'all' | 'get' | 'iterate' | 'columns'
>;

/** What reads the household's database. A function that takes no more than this writes nothing. */
export class Reader {
  /** The household's tables, as their schema has them. */
  readonly capture: HouseholdTables;
  readonly #db: Sqlite.Database;
  readonly #statements: Map<string, Sqlite.Statement>;

  protected constructor(
    db: Sqlite.Database,
    capture: HouseholdTables,
    statements: Map<string, Sqlite.Statement>,
  ) {
    this.#db = db;
    this.capture = capture;
    this.#statements = statements;
  }

  /**
   * The journal's revision: that of the last change; 0 in an empty database. It is the number given
   * last, whose line may have been forgotten since.
   */
  revision(): number {
    return this.value<number>("SELECT seq FROM sqlite_sequence WHERE name = 'Journal'") ?? 0;
  }

  /**
   * The statement of an SQL text that reads, compiled once; throws for one that writes. Statements are
   * shared by their text: leave `pluck`, `raw` and `expand` alone.
   */
  prepare<Params extends unknown[] | object = [], Row = unknown>(
    sql: string,
  ): Reading<Params, Row> {
    const statement = this.compiled<Params, Row>(sql);
    if (!statement.readonly) throw new Error(`Only a transaction writes: ${sql}`);
    return statement;
  }

  /** The rows of a question. Its parameters stand for each `?`, or are one object of those with a name. */
  all<Row>(sql: string, ...params: unknown[]): Row[] {
    return this.prepare<unknown[], Row>(sql).all(...params);
  }

  /** The first of these rows. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- TypeScript cannot read SQL: who writes the text says what its rows are
  get<Row>(sql: string, ...params: unknown[]): Row | undefined {
    return this.prepare<unknown[], Row>(sql).get(...params);
  }

  /** The first column of that row. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as for `get`: who writes the text says what its column is
  value<T>(sql: string, ...params: unknown[]): T | undefined {
    const row = this.get<Record<string, T>>(sql, ...params);
    return row && Object.values(row)[0];
  }

  /** The first column of all rows, NULL left out. */
  values<T>(sql: string, ...params: unknown[]): T[] {
    return this.all<Record<string, T>>(sql, ...params).flatMap(
      (row) => Object.values(row)[0] ?? [],
    );
  }

  /** Runs work on one consistent state of the database. */
  read<T>(work: () => T): T {
    return this.#db.inTransaction ? work() : this.#db.transaction(work).deferred();
  }

  protected compiled<Params extends unknown[] | object, Row>(
    sql: string,
  ): Sqlite.Statement<Params, Row> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- TypeScript cannot read SQL: who writes the text says what it takes and gives; the map holds statements of all texts
    return statement as unknown as Sqlite.Statement<Params, Row>;
  }
}
