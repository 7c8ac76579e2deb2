import type Sqlite from 'better-sqlite3';
import type { RowChange } from '#shared/change-reader';
import type { ChangeCapture } from './change-capture.ts';
import { Reader } from './reader.ts';

/**
 * An open write, and the right to write in it: `Database.write` hands it out, and nothing is written by it
 * once that has returned.
 */
export class Transaction extends Reader {
  readonly #db: Sqlite.Database;
  readonly #capture: ChangeCapture;
  #isLast = false;

  constructor(
    db: Sqlite.Database,
    capture: ChangeCapture,
    statements: Map<string, Sqlite.Statement>,
  ) {
    super(db, capture, statements);
    this.#db = db;
    this.#capture = capture;
  }

  /** The statement of any SQL text, as `Reader.prepare` gives it of one that reads. */
  override prepare<Params extends unknown[] | object = [], Row = unknown>(
    sql: string,
  ): Sqlite.Statement<Params, Row> {
    if (!this.#db.inTransaction) throw new Error('The write has ended');
    return this.compiled<Params, Row>(sql);
  }

  /** Runs a statement that gives no rows. */
  run(sql: string, ...params: unknown[]): Sqlite.RunResult {
    return this.prepare<unknown[]>(sql).run(...params);
  }

  /** Tries work that is undone alone where it throws; around much work it makes SQLite many times slower. */
  attempt<T>(work: () => T): T {
    return this.#db.transaction(work)();
  }

  /**
   * Runs work, and gives what each of its statements did to each row of the household, in order; what changed no
   * more than derived columns is left out.
   */
  captured<T>(work: () => T): { readonly result: T; readonly steps: RowChange[] } {
    this.#capture.start();
    const result = work();
    return { result, steps: this.#capture.stop() };
  }

  /** Notes the rules by which all rows now are, as `Database.rules` tells them. */
  noteRules(rules: string | null): void {
    this.run('UPDATE Installation SET regles = @rules WHERE regles IS NOT @rules', { rules });
  }

  /**
   * Makes this write the last one: from its commit on, every other is refused with
   * `RESTAURATION_EN_COURS`, until the database is opened anew.
   */
  endWrites(): void {
    this.#isLast = true;
  }

  get isLast(): boolean {
    return this.#isLast;
  }
}
