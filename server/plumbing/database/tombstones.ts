import type Sqlite from 'better-sqlite3';
import { everyDay } from './daily.ts';

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
