import type { ClockPort } from '../../../src/lib/sync/ports.ts';

/** So many turns of the event loop in which nothing is under way are the end of all that goes on by itself. */
const QUIET_TURNS = 3;

/** After so long something is under way that does not end. */
const NEVER_QUIET_MS = 20_000;

/** How many calls of RxDB are under way, which it makes in its own time. */
let opening = 0;

/** The timers that run in the next turn, in milliseconds. */
const SHORT_MS = 5;

/** Those of them that have not run yet. */
const turns = new Set<unknown>();

/** Called when something ends that was under way. */
let ended: () => void = () => undefined;

/** Counts every asynchronous call of these objects as under way until it ends. */
export function track(prototypes: readonly object[], names: readonly string[]): void {
  for (const prototype of prototypes)
    for (const name of names) {
      const work: unknown = Reflect.get(prototype, name);
      if (typeof work !== 'function') throw new Error(`${name} is no method`);
      Reflect.set(prototype, name, async function (this: unknown, ...args: unknown[]) {
        opening++;
        try {
          return (await Reflect.apply(work, this, args)) as unknown;
        } finally {
          opening--;
          ended();
        }
      });
    }
}

/**
 * RxDB takes a timer of no time for an idle moment, and its tabs hear one another after five milliseconds. Until what
 * this gives is called, such timers run in the next turn of the event loop: waiting was most of what a world took.
 */
export function hastenTimers(): () => void {
  const { setTimeout, clearTimeout } = globalThis;
  Reflect.set(
    globalThis,
    'setTimeout',
    (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
      if (ms > SHORT_MS) return setTimeout(run, ms, ...args);
      const turn = setImmediate(() => {
        turns.delete(turn);
        ended();
        run(...args);
      });
      turns.add(turn);
      return turn;
    },
  );
  Reflect.set(globalThis, 'clearTimeout', (timer: NodeJS.Timeout & NodeJS.Immediate) => {
    if (turns.delete(timer)) clearImmediate(timer);
    else clearTimeout(timer);
  });
  return () => void Object.assign(globalThis, { setTimeout, clearTimeout });
}

/** Waits so many turns of the event loop. */
export async function pass(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((resume) => setImmediate(resume));
}

/** Waits until something that is under way ends, or never does. */
async function somethingEnds(): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  await new Promise<void>((resume) => {
    limit = setTimeout(resume, NEVER_QUIET_MS);
    ended = resume;
  });
  clearTimeout(limit);
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** A clock that only moves when a test says so; its jitter comes out the same from the same seed. */
export class VirtualClock implements ClockPort {
  #now = 0;
  /** When the device's clock says that this one began; it may be set, forth and back. */
  begunOn = Date.UTC(2026, 10, 20);
  readonly #timers = new Set<Timer>();
  #seed: number;
  /** Things under way that only the real event loop can end: requests and writes. */
  #pending = 0;
  readonly #conditions: (() => boolean)[] = [];
  /** How often the browser was given a turn. */
  pauses = 0;

  constructor(seed = 1) {
    this.#seed = seed;
  }

  now(): number {
    return this.#now;
  }

  date(): number {
    return this.begunOn + this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const timer = { due: this.#now + ms, run };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  pause(): Promise<void> {
    this.pauses++;
    return this.real(new Promise((resume) => setImmediate(resume)));
  }

  chance(): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return this.#seed / 2_147_483_648;
  }

  /** How many timers run. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Marks something that ends by itself, however far the clock is. */
  async real<T>(work: Promise<T>): Promise<T> {
    this.#pending++;
    try {
      return await work;
    } finally {
      this.#pending--;
      ended();
    }
  }

  /** Has `settle` wait while this is so. */
  waitsFor(condition: () => boolean): void {
    this.#conditions.push(condition);
  }

  /** Waits so many milliseconds of this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => void this.after(ms, wake));
  }

  /** Waits until nothing happens any more without the clock's moving. */
  async settle(): Promise<void> {
    const begun = performance.now();
    for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
      if (performance.now() - begun > NEVER_QUIET_MS)
        throw new Error(
          `never quiet: ${String(this.#pending)} and ${String(opening)} calls, ${this.#conditions.map((holds) => holds()).join()}`,
        );
      await pass(1);
      if (this.#pending + opening + turns.size > 0) {
        quiet = -1;
        await somethingEnds();
      } else if (this.#conditions.some((holds) => holds())) {
        quiet = -1;
        await new Promise((resume) => setTimeout(resume, 1 + SHORT_MS));
      }
    }
  }

  /** Lets time pass, and all that comes with it happen. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await this.settle();
      const next = [...this.#timers].sort((a, b) => a.due - b.due)[0];
      if (next === undefined || next.due > end) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.run();
    }
    this.#now = end;
    await this.settle();
  }
}
