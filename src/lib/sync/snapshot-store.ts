import type { FusionSuggestion } from '#shared/auteurs';
import type { Bibliographie } from '#shared/bibliographie';
import type { Version } from '#shared/version';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { CopyDatabase } from './database.ts';
import type { Reader } from './status.ts';
import { report } from './report.ts';

/** The answers that are kept for reading offline, by their key; a bibliography by its author. */
export type Snapshots = {
  readonly version: Version;
  readonly suggestions: readonly FusionSuggestion[];
} & Readonly<Record<`bibliographie:${number}`, Bibliographie>>;

/** An answer of the server with the moment at which it was given. */
export interface Snapshot<T> {
  readonly value: T;
  readonly date: Date;
}

/** How many answers are kept for one reader. */
const MAX_SNAPSHOTS = 100;

/** The local document that names all others, which RxDB does not list. */
const INDEX = 'answers';

interface Index {
  /** The keys of the kept answers, the oldest first. */
  readonly keys: readonly string[];
}

interface KeptAnswer {
  readonly value: unknown;
  /** When the server gave it, in milliseconds since 1970. */
  readonly time: number;
}

const documentOf = (key: string): string => `answer/${key}`;

/**
 * The last answers of the server that are not records: local documents of the reader's database, so that
 * a fresh copy does not lose them. They are read after the copy is on the screen.
 */
export class SnapshotStore {
  readonly #kept = new Map<string, Snapshot<unknown>>();
  readonly #listeners = new Set<() => void>();
  #reader: Reader | undefined = undefined;
  #database: CopyDatabase | null = null;
  #work: Promise<void> = Promise.resolve();
  #isRead = false;

  /** Shows the answers of one reader, kept in their database; in none those of this page alone. */
  open(reader: Reader, database: CopyDatabase | null): Promise<void> {
    if (reader === this.#reader && database === this.#database) return this.#work;
    if (reader !== this.#reader) {
      this.#kept.clear();
      this.#isRead = false;
    }
    this.#reader = reader;
    this.#database = database;
    this.#notify();
    return this.#inTurn('reading the kept answers', async () => {
      if (database === this.#database) await this.#read(database);
    });
  }

  /** True once the answers of this reader have been read, or cannot be. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The last answer under a key; `null` where none is kept. */
  get<K extends keyof Snapshots>(key: K): Snapshot<Snapshots[K]> | null {
    return unsafeCast<Snapshot<Snapshots[K]> | undefined>(this.#kept.get(key)) ?? null;
  }

  /** Keeps an answer, and forgets the oldest where there are too many. */
  keep<K extends keyof Snapshots>(key: K, value: Snapshots[K]): Promise<void> {
    this.#kept.delete(key);
    const date = new Date();
    this.#kept.set(key, { value, date });
    const old = [...this.#kept.keys()].slice(0, Math.max(0, this.#kept.size - MAX_SNAPSHOTS));
    for (const one of old) this.#kept.delete(one);
    this.#notify();
    return this.#inTurn(`keeping the answer ${key}`, async () => {
      const database = this.#database;
      if (database === null) return;
      // First the index: a key without an answer is passed over, an answer without a key would be lost.
      const index: Index = { keys: [...this.#kept.keys()] };
      await database.keep(INDEX, index);
      const answer: KeptAnswer = { value, time: date.getTime() };
      await database.keep(documentOf(key), answer);
      for (const one of old) await database.forget(documentOf(one));
    });
  }

  /** Calls `listener` after every change until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Does one thing after the other; a failure is only reported. */
  #inTurn(what: string, work: () => Promise<void>): Promise<void> {
    this.#work = this.#work.then(work).catch((error: unknown) => report(error, what));
    return this.#work;
  }

  async #read(database: CopyDatabase | null): Promise<void> {
    try {
      for (const key of (await database?.kept<Index>(INDEX))?.keys ?? []) {
        const answer = await database?.kept<KeptAnswer>(documentOf(key));
        if (database !== this.#database) return;
        if (answer && !this.#kept.has(key))
          this.#kept.set(key, { value: answer.value, date: new Date(answer.time) });
      }
    } finally {
      this.#isRead = true;
      this.#notify();
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
