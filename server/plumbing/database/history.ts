import { randomBytes } from 'node:crypto';
import type Sqlite from 'better-sqlite3';
import { DAY_MS } from '#shared/days';

/** A replica older than all remembered generations is rebuilt. */
const GENERATIONS_KEPT = 1000;

/**
 * The history that revisions belong to. An epoch is drawn with the database and by each restore; a generation begins
 * with the first write after each start and records the revision before it. If the operator puts older files in place
 * without a restore, devices may have revisions of the last generation beyond that record: these are lost, and the
 * replica is rebuilt.
 */
export class History {
  readonly epoque: string;
  readonly #db: Sqlite.Database;
  readonly #revision: () => number;
  #generation: string | undefined;
  #isDue: boolean;

  /** @param isStart whether the first write begins a generation */
  constructor(
    db: Sqlite.Database,
    { revision, isStart }: { revision: () => number; isStart: boolean },
  ) {
    this.#db = db;
    this.#revision = revision;
    this.#isDue = isStart;
    const stored = db.prepare<[], string>('SELECT epoque FROM Installation').pluck().get();
    this.epoque = stored ?? drawEpoque(db);
    if (stored === undefined) db.exec('UPDATE Installation SET bibliotheque = epoque');
  }

  /**
   * The text that devices store beside a revision: `<epoch>-<generation>`, or the epoch alone before the first
   * generation.
   */
  get origin(): string {
    return [this.epoque, this.#current].filter(Boolean).join('-');
  }

  /** Whether a device's revision, stored with an origin, belongs to this history. */
  holds(origin: string, revision: number): boolean {
    const [epoque, generation = ''] = origin.split('-');
    if (epoque !== this.epoque || revision > this.#revision()) return false;
    return generation === this.#current || revision <= this.#endOf(generation);
  }

  /**
   * The last revision that a device's history, of any epoch, has in common with this one. For a generation that is
   * not remembered, because it began after a backup was made: at most the latest remembered one.
   */
  commonWith(origin: string, revision: number): number {
    const [, generation = ''] = origin.split('-');
    if (generation === this.#current) return Math.min(revision, this.#revision());
    const end = this.#endOf(generation);
    return Math.min(revision, end < 0 ? this.#begunAfter : end);
  }

  /** Call before each write. */
  begin(): void {
    if (!this.#isDue) return;
    const nom = randomBytes(8).toString('hex');
    const run = (sql: string, ...values: unknown[]) => this.#db.prepare(sql).run(...values);
    this.#db
      .transaction(() => {
        run('INSERT INTO Generation (nom, revision) VALUES (?, ?)', nom, this.#revision());
        run(
          'DELETE FROM Generation WHERE numero <= (SELECT max(numero) FROM Generation) - ?',
          GENERATIONS_KEPT,
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

  /** The revision that the latest generation began after. */
  get #begunAfter(): number {
    const latest = 'SELECT revision FROM Generation ORDER BY numero DESC LIMIT 1';
    return this.#db.prepare<[], number>(latest).pluck().get() ?? 0;
  }

  /** The last revision of an earlier generation, '' naming the time before the first; -1 where it is unknown. */
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

/** Gives a new or restored database an epoch of its own. */
export function drawEpoque(db: Sqlite.Database): string {
  const drawn = randomBytes(16).toString('hex');
  db.prepare(
    'INSERT INTO Installation (id, epoque) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET epoque = excluded.epoque',
  ).run(drawn);
  return drawn;
}

/** docs/rules.md § 28 */
const MEMORY_DAYS = 400;
/** How many rows one batch deletes. */
const FORGOTTEN_A_TURN = 500;

/** The journal's lines of deletions, which are forgotten after 400 days. */
export class Tombstones {
  readonly #db: Sqlite.Database;
  readonly #noteDate: Sqlite.Statement<[string]>;

  constructor(db: Sqlite.Database) {
    this.#db = db;
    this.#noteDate = db.prepare<[string]>(
      `INSERT INTO JournalDate (date, revision)
       SELECT ?, seq FROM sqlite_sequence
       WHERE name = 'Journal' AND seq > (SELECT coalesce(max(revision), 0) FROM JournalDate)
       ON CONFLICT (date) DO UPDATE SET revision = excluded.revision`,
    );
  }

  get forgottenUpTo(): number {
    return Number(this.#db.prepare('SELECT revisionMin FROM Installation').pluck().get());
  }

  /** Call before each commit. */
  date(): void {
    this.#noteDate.run(dayOf(Date.now()));
  }

  /**
   * Deletes a batch of old tombstones; returns whether more may be left. Runs daily until none are. Takes no lock if
   * none is old enough.
   */
  forget(): boolean {
    const cutoff = dayOf(Date.now() - MEMORY_DAYS * DAY_MS);
    const expired = this.#db
      .prepare<[string]>('SELECT 1 FROM JournalDate WHERE date < ?')
      .get(cutoff);
    if (expired === undefined) return false;
    const run = (sql: string) => this.#db.prepare<{ cutoff: string }>(sql).run({ cutoff });
    const old = `supprime = 1
      AND revision <= (SELECT max(revision) FROM JournalDate WHERE date < @cutoff)`;
    return this.#db
      .transaction(() => {
        // Raised for all of them before the first is deleted, so that no device receives a part of
        // them.
        run(`UPDATE Installation SET revisionMin =
          max(revisionMin, coalesce((SELECT max(revision) FROM Journal WHERE ${old}), 0))`);
        const { changes } = run(`DELETE FROM Journal WHERE revision IN (
          SELECT revision FROM Journal WHERE ${old} ORDER BY revision LIMIT ${String(FORGOTTEN_A_TURN)})`);
        if (changes === FORGOTTEN_A_TURN) return true;
        run('DELETE FROM JournalDate WHERE date < @cutoff');
        return false;
      })
      .immediate();
  }
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
