/** The time, and waiting for it: a test turns a clock of its own. */
export interface Clock {
  /** In milliseconds since 1970. */
  now(): number;
  /** Calls once after so many milliseconds, unless the function that it returns is called before. */
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
