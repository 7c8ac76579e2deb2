import { backOff, Failure } from '../status.ts';
import type { ClockPort } from '../ports.ts';
import type { Records } from '../records.ts';
import { report } from '../report.ts';

/** How many keys are processed between two pauses: some milliseconds on a phone. */
const TURN = 500;

/** The keys of the covers to store, in the order of fetching. */
export interface WantedKeys {
  /** Keys of books in the catalogue's order, then of issues. */
  readonly household: ReadonlySet<string>;
  /** Keys of the reader's wishes, without those of books and issues. */
  readonly own: ReadonlySet<string>;
}

const NO_STATUTS = new Map();

/** In slices: ten thousand at once would freeze a phone's screen. */
export async function inTurns<T>(
  items: Iterable<T>,
  pause: () => Promise<void>,
  take: (item: T) => void,
): Promise<void> {
  let left = TURN;
  for (const item of items) {
    take(item);
    if (--left > 0) continue;
    left = TURN;
    await pause();
  }
}

/** The covers of every record of the replica that is on the screen (docs/rules.md § 48). */
export async function wantedKeys(
  { catalogue, tables }: Records,
  pause: () => Promise<void>,
): Promise<WantedKeys> {
  const household = new Set<string>();
  const own = new Set<string>();
  const livres = catalogue.search({ tri: 'alphabetique' }, NO_STATUTS);
  await inTurns([...livres, ...tables.numeros.values()], pause, ({ couverture }) => {
    if (couverture !== null) household.add(couverture.cle);
  });
  for (const { couverture } of tables.souhaits.values())
    if (couverture !== null && !household.has(couverture.cle)) own.add(couverture.cle);
  return { household, own };
}

/** The smallest batch, which measures the connection first. */
const MIN_BATCH = 10;

/** The intended duration of a batch, in milliseconds: the next size adapts. */
const AIM_MS = 1_500;

/** The share of the browser's quota above which no more thumbnails are fetched. */
const SHARE = 0.5;

/** The origin's storage in bytes; `granted` is `Infinity` if the browser does not tell. */
export interface Room {
  readonly used: number;
  readonly granted: number;
}

export type ThumbnailScope = 'household' | { readonly reader: string };

export interface StoredKeys {
  readonly household: Set<string>;
  /** Keys of one reader's wishes. */
  readonly own: Set<string>;
}

export interface ThumbnailStorage {
  setReader(reader: string | null): Promise<void>;
  keys(reader: string | null): Promise<StoredKeys>;
  put(scope: ThumbnailScope, pictures: ReadonlyMap<string, ArrayBuffer>): Promise<void>;
  remove(scope: ThumbnailScope, cles: Iterable<string>): Promise<void>;
}

export interface KeeperSubject {
  reader(): string | null | undefined;
  /** The keys of all covers; computed in slices, so that `version` may change meanwhile. */
  wanted(): Promise<WantedKeys>;
  /** Changes with `wanted`. */
  version(): string;
  /** True while this tab is the leader and visible, and its replica is in sync. */
  mayFetch(): boolean;
  savesData(): boolean;
}

interface KeeperPorts {
  readonly store: ThumbnailStorage;
  readonly clock: ClockPort;
  /**
   * Requests thumbnails; the result lacks those that the server does not have. Throws a `Failure`, or the signal's
   * reason.
   */
  readonly ask: (
    cles: readonly string[],
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, ArrayBuffer>>;
  readonly room: () => Promise<Room>;
  readonly maxBatch: number;
}

/**
 * The progress. `pause`: `saveData` (requested by the browser), `full` (their share of the storage is used),
 * `blocked` (no storage), `failing` (the last request failed and is retried).
 */
export interface KeeperState {
  readonly kept: number;
  readonly total: number;
  readonly pause: 'saveData' | 'full' | 'blocked' | 'failing' | null;
}

const START: KeeperState = { kept: 0, total: 0, pause: null };
const NOTHING: StoredKeys = { household: new Set(), own: new Set() };

/** Fetches all thumbnails, one small request at a time in idle time (docs/rules.md § 48). */
export class ThumbnailKeeper {
  state: KeeperState = START;
  readonly #subject: KeeperSubject;
  readonly #ports: KeeperPorts;
  readonly #listeners = new Set<() => void>();
  #reader: string | null | undefined = undefined;
  #kept: StoredKeys = NOTHING;
  #wanted: WantedKeys = NOTHING;
  /** The version of the records at which `#wanted` was read; empty where it must be read again. */
  #wantedAt = '';
  /** Keys without a picture on the server, not requested again in this visit. */
  readonly #absent = new Set<string>();
  #batch = MIN_BATCH;
  #failures = 0;
  #stopTimer: (() => void) | null = null;
  #session = new AbortController();
  #work: Promise<void> | null = null;
  /** The `#moment` at which nothing was left to do. */
  #finishedMoment = '';

  constructor(subject: KeeperSubject, ports: KeeperPorts) {
    this.#subject = subject;
    this.#ports = ports;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Call on any possible change; starts the remaining work. */
  wake(): void {
    if (this.#work !== null || this.#stopTimer !== null) return;
    if (this.#subject.reader() === undefined || this.#moment() === this.#finishedMoment) return;
    this.#work = this.#run(this.#session.signal);
  }

  /** Reads the stored keys again, since another tab may have added some. */
  recount(): void {
    this.#forget();
    this.wake();
  }

  /** Aborts the work; `wake` starts it again. */
  async stop(): Promise<void> {
    this.#session.abort();
    this.#stopTimer?.();
    this.#stopTimer = null;
    await this.#work;
    this.#session = new AbortController();
    this.#forget();
  }

  #forget(): void {
    this.#reader = undefined;
    this.#wantedAt = '';
    this.#finishedMoment = '';
  }

  /** The inputs that decide whether anything is left to do. */
  #moment(): string {
    const subject = this.#subject;
    return JSON.stringify([
      subject.reader(),
      subject.version(),
      subject.mayFetch(),
      subject.savesData(),
    ]);
  }

  async #run(signal: AbortSignal): Promise<void> {
    try {
      for (;;) {
        const moment = this.#moment();
        const isDone = await this.#step(signal);
        signal.throwIfAborted();
        // Forgotten meanwhile: another tab may have filled the device.
        if (!isDone || this.#reader === undefined) continue;
        this.#finishedMoment = moment;
        if (moment === this.#moment()) return;
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      // In the same turn as the comparison, so that a later `wake` finds no running work.
      this.#work = null;
    }
  }

  /** Fetches one batch. Returns true if nothing is left to do until a change. */
  async #step(signal: AbortSignal): Promise<boolean> {
    const subject = this.#subject;
    const reader = subject.reader() ?? null;
    if (this.#reader !== reader) await this.#begin(reader);
    if (subject.reader() === this.#reader && this.#wantedAt !== subject.version())
      await this.#look(reader);
    if (subject.reader() !== this.#reader) return subject.reader() === undefined;
    const household = this.#missing(this.#wanted.household, this.#kept.household);
    const own = household.length > 0 ? [] : this.#missing(this.#wanted.own, this.#kept.own);
    const isDone = !subject.mayFetch() || household.length + own.length === 0;
    const pause = isDone ? null : await this.#pause();
    this.#count(pause);
    if (isDone || pause !== null) return true;
    signal.throwIfAborted();
    if (household.length > 0) await this.#fetch('household', household, signal);
    else await this.#fetch({ reader: reader ?? '' }, own, signal);
    return false;
  }

  async #begin(reader: string | null): Promise<void> {
    await this.#ports.store.setReader(reader);
    this.#kept = await this.#ports.store.keys(reader);
    this.#reader = reader;
    this.#wantedAt = '';
    this.#absent.clear();
  }

  /** Determines the wanted covers, and removes all others from the device. */
  async #look(reader: string | null): Promise<void> {
    const version = this.#subject.version();
    const subject = this.#subject;
    const wanted = await subject.wanted();
    // The reader has changed meanwhile.
    if (subject.reader() !== reader) return;
    this.#wanted = wanted;
    // Nothing is removed while the replica may be incomplete, or has changed meanwhile.
    if (!subject.mayFetch() || subject.version() !== version) return;
    await this.#clean('household', this.#kept.household, wanted.household);
    if (reader !== null) await this.#clean({ reader }, this.#kept.own, wanted.own);
    this.#wantedAt = version;
  }

  async #clean(
    scope: ThumbnailScope,
    kept: Set<string>,
    wanted: ReadonlySet<string>,
  ): Promise<void> {
    const left: string[] = [];
    await inTurns(
      kept,
      () => this.#ports.clock.pause(),
      (cle) => void (wanted.has(cle) || left.push(cle)),
    );
    if (left.length === 0) return;
    await this.#ports.store.remove(scope, left);
    for (const cle of left) kept.delete(cle);
  }

  #missing(wanted: ReadonlySet<string>, kept: ReadonlySet<string>): string[] {
    const missing: string[] = [];
    for (const cle of wanted) {
      if (missing.length === this.#batch) break;
      if (!kept.has(cle) && !this.#absent.has(cle)) missing.push(cle);
    }
    return missing;
  }

  async #fetch(scope: ThumbnailScope, cles: readonly string[], signal: AbortSignal): Promise<void> {
    const { clock, ask, store } = this.#ports;
    const begun = clock.now();
    const reader = this.#subject.reader();
    const pictures = await ask(cles, signal);
    // Their copy may be deleted by now.
    if (this.#subject.reader() !== reader) return;
    this.#fitBatch(cles.length, clock.now() - begun);
    await store.put(scope, pictures);
    const kept = scope === 'household' ? this.#kept.household : this.#kept.own;
    for (const cle of cles) (pictures.has(cle) ? kept : this.#absent).add(cle);
    this.#failures = 0;
  }

  #fitBatch(asked: number, ms: number): void {
    const fitting = (asked * AIM_MS) / Math.max(ms, 1);
    this.#batch = Math.round(Math.min(this.#ports.maxBatch, Math.max(MIN_BATCH, fitting)));
  }

  /** Why nothing more is fetched for now. */
  async #pause(): Promise<'saveData' | 'full' | null> {
    if (this.#subject.savesData()) return 'saveData';
    const { used, granted } = await this.#ports.room();
    return used < granted * SHARE ? null : 'full';
  }

  #count(pause: KeeperState['pause']): void {
    const { household, own } = this.#wanted;
    let kept = 0;
    for (const cle of household) if (this.#kept.household.has(cle)) kept++;
    for (const cle of own) if (this.#kept.own.has(cle)) kept++;
    this.#notify({ kept, total: household.size + own.size, pause });
  }

  #fail(error: unknown): void {
    report(error, 'keeping the thumbnails');
    // A failed batch is not counted, even if a part of it is on the device.
    this.#reader = undefined;
    const pause = pauseOf(error);
    this.#notify({ ...this.state, pause });
    this.#failures++;
    this.#batch = MIN_BATCH;
    const isOutOfReach = error instanceof Failure && error.kind === 'offline';
    const { clock } = this.#ports;
    const ms = backOff(this.#failures, isOutOfReach, clock);
    this.#stopTimer = clock.after(ms, () => {
      this.#stopTimer = null;
      this.wake();
    });
  }

  #notify(state: KeeperState): void {
    const { kept, total, pause } = this.state;
    if (kept === state.kept && total === state.total && pause === state.pause) return;
    this.state = state;
    for (const listener of this.#listeners) listener();
  }
}

function pauseOf(error: unknown): KeeperState['pause'] {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'QuotaExceededError') return 'full';
  return name === 'SecurityError' ? 'blocked' : 'failing';
}
