import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '#shared/refusals';

interface Holder {
  /** What the other connection does, « Un import ». */
  readonly told: string;
  readonly released: Promise<undefined>;
}

/**
 * The right to write, of which SQLite has one for a file: a connection of another thread holds it for a long
 * write, and whoever wants to write here waits without holding up the event loop.
 */
export class WriteLock {
  #holder: Holder | null = null;

  /** Throws `TRAVAIL_EN_COURS` while another connection holds the lock. */
  requireFree(): void {
    if (this.#holder !== null)
      throw new Refusal('TRAVAIL_EN_COURS', { travail: this.#holder.told });
  }

  get isHeld(): boolean {
    return this.#holder !== null;
  }

  /**
   * Runs work as soon as the lock is free, at once where it is.
   *
   * @param maxMs throws `TRAVAIL_EN_COURS` after this long, in milliseconds
   */
  async whenFree<T>(work: () => T, maxMs = Infinity): Promise<Awaited<T>> {
    const start = Date.now();
    // In a loop: another of those that wait may have taken it first.
    while (this.#holder !== null) {
      const left = start + maxMs - Date.now();
      if (left <= 0) this.requireFree();
      await Promise.race([this.#holder.released, ...(left < Infinity ? [pause(left)] : [])]);
    }
    return await work();
  }

  /** Gives the lock to another connection until the work has settled. */
  async handOver<T>(told: string, work: () => Promise<T>): Promise<T> {
    this.requireFree();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#holder = { told, released: promise };
    try {
      return await work();
    } finally {
      this.#holder = null;
      resolve(undefined);
    }
  }
}

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });
