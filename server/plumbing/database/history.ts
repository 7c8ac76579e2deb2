import { randomBytes } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { everyDay } from './daily.ts';

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
