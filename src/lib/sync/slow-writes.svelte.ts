/** A write without an answer for this long is slow, in milliseconds. */
const SLOW_MS = 5_000;

/** Counts the writes that have been without an answer for long; reactive. */
class SlowWrites {
  count = $state(0);

  /** Passes the write's outcome on and counts it while it is slow. */
  async watch<T>(work: Promise<T>): Promise<T> {
    const slow = { count: 0 };
    const timer = setTimeout(() => {
      slow.count = 1;
      this.count++;
    }, SLOW_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.count -= slow.count;
    }
  }
}

export const slowWrites = new SlowWrites();
