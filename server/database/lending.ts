import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '#shared/refusals';

interface Lent {
  /** What the other connection does, « Un import ». */
  readonly told: string;
  readonly ended: Promise<undefined>;
}

/**
 * The right to write, of which SQLite has one for a file: a connection of another thread borrows it for a
 * long write, and whoever wants to write here waits without holding up the event loop.
 */
export class Lending {
  #lent: Lent | null = null;

  /** Throws `TRAVAIL_EN_COURS` while the right is lent. */
  requireFree(): void {
    if (this.#lent !== null) throw new Refusal('TRAVAIL_EN_COURS', { travail: this.#lent.told });
  }

  get isLent(): boolean {
    return this.#lent !== null;
  }

  /**
   * Runs work as soon as the right is not lent, at once where it is not.
   *
   * @param maxMs throws `TRAVAIL_EN_COURS` after this long, in milliseconds
   */
  async inTurn<T>(work: () => T, maxMs = Infinity): Promise<Awaited<T>> {
    const start = Date.now();
    // In a loop: of those that have waited, another may have borrowed it first.
    while (this.#lent !== null) {
      const left = start + maxMs - Date.now();
      if (left <= 0) this.requireFree();
      await Promise.race([this.#lent.ended, ...(left < Infinity ? [pause(left)] : [])]);
    }
    return await work();
  }

  /** Lends the right until the work has settled. */
  async lend<T>(told: string, work: () => Promise<T>): Promise<T> {
    this.requireFree();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#lent = { told, ended: promise };
    try {
      return await work();
    } finally {
      this.#lent = null;
      resolve(undefined);
    }
  }
}

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });
