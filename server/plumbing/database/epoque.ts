import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { Type, type Static } from 'typebox';
import { Check } from 'typebox/value';
import { Checkpoint } from '#shared/replication';

const PERIOD_MS = 1000;

/** What the file beside the database says. */
const HighWaterMark = Type.Object({
  ...Checkpoint.properties,
  rules: Type.Optional(Type.String()),
});

/** What the mark beside a database follows while it is open. */
interface Followed {
  readonly revision: () => number;
  /** Another value once another connection has written since it was last asked. */
  readonly dataVersion: () => unknown;
}

/**
 * The epoch of a database: a replica's revision means something within one epoch only. A restored
 * backup goes on from an older revision and would give the same numbers to other changes; it is
 * found out by a small file beside the database, `<database>.jalon`, that remembers how far the
 * journal had come, and by which rules all rows then were. The file is a help, not a need: no failure to read or
 * write it is fatal.
 */
export class Epoque {
  readonly value: string;
  /** The file beside the database; `null` for a second connection, whose database is that of the first. */
  readonly #file: string | null;
  readonly #followed: Followed;
  #rules: string | null;
  /** Of when the rules were noted. */
  #dataVersion: unknown;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    value: string,
    file: string | null,
    followed: Followed,
    rules: string | null,
    dataVersion: unknown,
  ) {
    this.value = value;
    this.#file = file;
    this.#followed = followed;
    this.#rules = rules;
    this.#dataVersion = dataVersion;
    this.#remember();
  }

  /** Reads the epoch of a database that is open already. */
  static read(db: Sqlite.Database): Epoque {
    const followed = { revision: () => 0, dataVersion: () => 0 };
    return new Epoque(storedIn(db) ?? '', null, followed, null, 0);
  }

  /** Reads the epoch of a database, and draws another when the database is a restored backup. */
  static open(db: Sqlite.Database, path: string, revision: () => number): Epoque {
    const file = fileOf(path);
    const dataVersion = () => db.pragma('data_version', { simple: true });
    const followed = { revision, dataVersion };
    const begun = dataVersion();
    const stored = storedIn(db);
    const known = recall(path);
    const restored = known?.epoque === stored && known !== null && known.revision > revision();
    const isAsLeft = known?.epoque === stored && known?.revision === revision();
    if (stored !== undefined && !restored)
      return new Epoque(stored, file, followed, isAsLeft ? (known.rules ?? null) : null, begun);
    const drawn = randomBytes(16).toString('hex');
    db.prepare(
      'INSERT INTO Installation (id, epoque) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET epoque = excluded.epoque',
    ).run(drawn);
    return new Epoque(drawn, file, followed, null, begun);
  }

  /** The rules by which all rows are, where none has been written but by this service since; `null` where that is not known. */
  get rules(): string | null {
    return this.#rules;
  }

  /** In the transaction that has found all rows to be so: what another connection writes after it counts. */
  noteRules(rules: string | null): void {
    this.#rules = rules;
    this.#dataVersion = this.#followed.dataVersion();
    this.noteCommit();
  }

  /** To be called after each commit; writes the file at most once a second. */
  noteCommit(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#remember();
    }, PERIOD_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#remember();
  }

  #remember(): void {
    if (this.#file === null) return;
    try {
      // The revision first: what another connection writes in between is then beyond the mark.
      const mark: Static<typeof HighWaterMark> = {
        epoque: this.value,
        revision: this.#followed.revision(),
      };
      if (this.#followed.dataVersion() !== this.#dataVersion) this.#rules = null;
      if (this.#rules !== null) mark.rules = this.#rules;
      writeFileSync(`${this.#file}.partiel`, JSON.stringify(mark));
      renameSync(`${this.#file}.partiel`, this.#file);
    } catch {
      // A restored backup is then found out by the first device that is ahead of it.
    }
  }
}

const storedIn = (db: Sqlite.Database): string | undefined =>
  db.prepare<[], string>('SELECT epoque FROM Installation').pluck().get();

const fileOf = (path: string): string => `${path}.jalon`;

/** How far the database at a path had come when it was last open; `null` where there is none that is known. */
export function recall(path: string): Static<typeof HighWaterMark> | null {
  try {
    const mark: unknown = JSON.parse(readFileSync(fileOf(path), 'utf8'));
    return Check(HighWaterMark, mark) ? mark : null;
  } catch {
    return null;
  }
}
