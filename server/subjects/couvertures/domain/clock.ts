/** The time and timers; tests pass a clock of their own. */
export interface Clock {
  /** In milliseconds since 1970. */
  now(): number;
  /** Calls `call` once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, call: () => void): () => void;
}

/** The longest that a timer of Node waits. */
const MAX_DELAY_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, Math.min(ms, MAX_DELAY_MS)).unref();
    return () => clearTimeout(timer);
  },
};
