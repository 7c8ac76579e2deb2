import type { ClockPort } from '../../../src/lib/sync/ports.ts';

/** After this many turns of the event loop without pending work, everything has ended that ends without the clock. */
const QUIET_TURNS = 3;

/** Work pending for this long never ends. */
const NEVER_QUIET_MS = 20_000;

/** RxDB's pending asynchronous calls, which do not depend on the virtual clock. */
let opening = 0;

/** Timers up to this many milliseconds run in the next turn of the event loop. */
const SHORT_MS = 5;

/** The scheduled short timers. */
const turns = new Set<unknown>();

/** Called whenever pending work ends. */
let ended: () => void = () => undefined;

/** Counts every asynchronous call of these methods as pending until it ends. */
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
 * Runs short timers in the next turn of the event loop, until the returned function is called. RxDB waits for idle
 * moments by timers of 0 ms, and sends messages between tabs after 5 ms: without this, most of a test's time would be
 * waiting.
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

/** Waits for this many turns of the event loop. */
export async function pass(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await new Promise((resume) => setImmediate(resume));
}

/** Waits until pending work ends, at most `NEVER_QUIET_MS`. */
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

/** A clock that moves only when a test advances it; its jitter depends on the seed. */
export class VirtualClock implements ClockPort {
  #now = 0;
  /** The device's time of day at the clock's start; a test may move it in both directions. */
  begunOn = Date.UTC(2026, 10, 20);
  readonly #timers = new Set<Timer>();
  #seed: number;
  /** The number of pending requests and writes, which end in real time only. */
  #pending = 0;
  readonly #conditions: (() => boolean)[] = [];
  /** How often the application has yielded to the browser. */
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

  /** The number of running timers. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Counts work as pending that ends in real time, independently of the clock. */
  async real<T>(work: Promise<T>): Promise<T> {
    this.#pending++;
    try {
      return await work;
    } finally {
      this.#pending--;
      ended();
    }
  }

  /** Makes `settle` wait while the condition holds. */
  waitsFor(condition: () => boolean): void {
    this.#conditions.push(condition);
  }

  /** Waits for milliseconds of this clock. */
  sleep(ms: number): Promise<void> {
    return new Promise((wake) => void this.after(ms, wake));
  }

  /** Waits until nothing more happens unless the clock moves. */
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

  /** Advances the clock step by step, and waits for everything that is due. */
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
