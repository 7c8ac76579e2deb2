import type { FusionSuggestion } from '#shared/auteurs';
import type { Bibliographie } from '#shared/bibliographie';
import type { Version } from '#shared/version';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { Envelope } from './envelope.ts';
import type { Storage, StoragePort } from './ports.ts';
import { report } from './report.ts';
import type { Reader } from './states.ts';

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

const PREFIX = 'snapshot/';

/**
 * The last answers of the server that are not records. They have a database of their own, so that a
 * resync does not lose them, and are read after the copy is on the screen.
 */
export class SnapshotStore {
  readonly #port: StoragePort;
  readonly #installation: string;
  readonly #kept = new Map<string, Snapshot<unknown>>();
  readonly #listeners = new Set<() => void>();
  #reader: Reader | undefined = undefined;
  #storage: Promise<Storage> | null = null;
  #opened: Promise<void> = Promise.resolve();
  #isRead = false;

  constructor(port: StoragePort, installation: string) {
    this.#port = port;
    this.#installation = installation;
  }

  /** Shows the answers of one reader; none for `undefined`. */
  open(reader: Reader | undefined): Promise<void> {
    if (reader === this.#reader) return this.#opened;
    this.#reader = reader;
    this.#isRead = false;
    this.#kept.clear();
    this.#notify();
    this.#opened = this.#opened.then(() => this.#change(reader));
    return this.#opened;
  }

  async #change(reader: Reader | undefined): Promise<void> {
    const left = this.#storage;
    this.#storage = null;
    try {
      await (await left)?.close();
      if (reader !== undefined && reader === this.#reader) await this.#read(reader);
    } catch (error) {
      report(error, 'reading the kept answers');
    }
    if (reader !== this.#reader) return;
    this.#isRead = true;
    this.#notify();
  }

  /** True once the answers of this reader have been read, or cannot be. */
  get isRead(): boolean {
    return this.#isRead;
  }

  get<K extends keyof Snapshots>(key: K): Snapshot<Snapshots[K]> | null {
    return unsafeCast<Snapshot<Snapshots[K]> | undefined>(this.#kept.get(key)) ?? null;
  }

  /** Keeps an answer, and forgets the oldest where there are too many. */
  async keep<K extends keyof Snapshots>(key: K, value: Snapshots[K]): Promise<void> {
    this.#kept.delete(key);
    this.#kept.set(key, { value, date: new Date() });
    const old = [...this.#kept.keys()].slice(0, Math.max(0, this.#kept.size - MAX_SNAPSHOTS));
    for (const one of old) this.#kept.delete(one);
    this.#notify();
    try {
      await this.#opened;
      await (await this.#storage)?.write([...old, key].map((one) => this.#envelope(one)));
    } catch (error) {
      report(error, `keeping the answer ${key}`);
    }
  }

  /** Calls `listener` after every change until the returned function is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #read(reader: Reader): Promise<void> {
    const name = ['kept', this.#installation, reader ?? ''].map(encodeURIComponent).join('|');
    const storage = this.#port.open(name, () => undefined);
    this.#storage = storage;
    const found: Envelope[] = [];
    await (await storage).read((envelopes) => Promise.resolve(void found.push(...envelopes)));
    if (reader !== this.#reader) return;
    found.sort((a, b) => a.revision - b.revision);
    for (const { key, revision, document } of found) {
      const snapshot = { value: unsafeCast<{ value: unknown } | null>(document)?.value };
      const short = key.slice(PREFIX.length);
      if (document !== null && !this.#kept.has(short))
        this.#kept.set(short, { ...snapshot, date: new Date(revision) });
    }
    this.#notify();
  }

  #envelope(key: string): Envelope {
    const kept = this.#kept.get(key);
    return {
      key: PREFIX + key,
      kind: 'snapshot',
      // Later than the row that it replaces.
      revision: kept?.date.getTime() ?? Date.now(),
      document: kept === undefined ? null : { value: kept.value },
    };
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
