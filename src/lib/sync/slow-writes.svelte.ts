/** A write without an answer for this long is slow, in milliseconds. */
const SLOW_MS = 5_000;

/** The writes that have been without an answer for long; reactive. */
class SlowWrites {
  count = $state(0);
  /** What they have to wait for on the server, « Un import »; `null` where that is not known. */
  travail = $state<string | null>(null);

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
      if (this.count === 0) this.travail = null;
    }
  }
}

export const slowWrites = new SlowWrites();
