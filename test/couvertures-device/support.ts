import { Failure, type FailureKind } from '../../src/lib/sync/status.ts';
import {
  ThumbnailKeeper,
  type KeeperSubject,
  type StoredKeys,
  type ThumbnailScope,
  type ThumbnailStorage,
} from '../../src/lib/sync/thumbnails/keeper.ts';
import { VirtualClock } from '../copy/support/virtual-clock.ts';

type Pictures = Map<string, ArrayBuffer>;

/** Thumbnails of a device, in memory. */
class MemoryThumbnails implements ThumbnailStorage {
  readonly household: Pictures = new Map();
  readonly own = new Map<string, Pictures>();
  reader: string | null = null;
  /** The error of the next write. */
  failure: Error | null = null;

  setReader(reader: string | null): Promise<void> {
    this.reader = reader;
    return Promise.resolve();
  }

  keys(reader: string | null): Promise<StoredKeys> {
    const own = reader === null ? [] : this.ownOf(reader).keys();
    return Promise.resolve({ household: new Set(this.household.keys()), own: new Set(own) });
  }

  put(scope: ThumbnailScope, pictures: ReadonlyMap<string, ArrayBuffer>): Promise<void> {
    if (this.failure !== null) return Promise.reject(this.failure);
    for (const [cle, bytes] of pictures) this.#on(scope).set(cle, bytes);
    return Promise.resolve();
  }

  remove(scope: ThumbnailScope, cles: Iterable<string>): Promise<void> {
    for (const cle of cles) this.#on(scope).delete(cle);
    return Promise.resolve();
  }

  ownOf(reader: string): Pictures {
    const found = this.own.get(reader) ?? new Map<string, ArrayBuffer>();
    this.own.set(reader, found);
    return found;
  }

  #on = (scope: ThumbnailScope): Pictures =>
    scope === 'household' ? this.household : this.ownOf(scope.reader);
}

/** A device, the records on its screen, and the server, all controlled by the test. */
export class World implements KeeperSubject {
  readonly clock: VirtualClock;
  readonly thumbnails = new MemoryThumbnails();
  readonly keeper: ThumbnailKeeper;
  /** The keys of each request, in order. */
  readonly asked: string[][] = [];
  /** The maximum number of concurrent requests. */
  most = 0;
  who: string | null | undefined = 'alice';
  livres: readonly string[] = [];
  souhaits: Readonly<Record<string, readonly string[]>> = {};
  equal = true;
  economical = false;
  /** The kind of failure that replaces the server's responses. */
  fails: FailureKind | null = null;
  /** Keys whose pictures the server lacks. */
  readonly lost = new Set<string>();
  /** Milliseconds that the server takes per picture. */
  msEach = 1;
  used = 0;
  granted = Infinity;
  #version = 0;
  #underWay = 0;

  constructor(seed = 1) {
    this.clock = new VirtualClock(seed);
    this.keeper = new ThumbnailKeeper(this, {
      store: this.thumbnails,
      clock: this.clock,
      ask: (cles, signal) => this.#answer(cles, signal),
      room: () => Promise.resolve({ used: this.used, granted: this.granted }),
      maxBatch: 100,
    });
  }

  reader = () => this.who;
  version = () => String(this.#version);
  mayFetch = () => this.equal;
  savesData = () => this.economical;

  /** Reads the keys at once, and returns them in a later turn. */
  async wanted() {
    const seen = this.wantedNow();
    await this.clock.pause();
    return seen;
  }

  wantedNow() {
    const household = new Set(this.livres);
    const own = this.souhaits[this.who ?? ''] ?? [];
    return { household, own: new Set([...own].filter((cle) => !household.has(cle))) };
  }

  /** Changes the records and notifies the keeper, as the replica does. */
  change(what: () => void): void {
    what();
    this.#version++;
    this.keeper.wake();
  }

  /** Advances the clock, running everything that is due. */
  async pass(ms = 3_600_000): Promise<void> {
    this.keeper.wake();
    await this.clock.advance(ms);
  }

  async #answer(cles: readonly string[], signal: AbortSignal) {
    this.asked.push([...cles]);
    this.most = Math.max(this.most, ++this.#underWay);
    try {
      await this.clock.sleep(cles.length * this.msEach);
      signal.throwIfAborted();
      if (this.fails !== null) throw new Failure(this.fails);
      const found = cles.filter((cle) => !this.lost.has(cle));
      return new Map(found.map((cle) => [cle, new ArrayBuffer(1)]));
    } finally {
      this.#underWay--;
    }
  }
}

/** Distinct keys. */
export const cles = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => String(from + index).padStart(64, '0'));
