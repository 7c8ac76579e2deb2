import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#server/subjects/couvertures/cover-store';

interface Timer {
  at: number;
  readonly call: () => void;
}

/** A clock for tests: time advances when nothing but timers is pending, and then at once. */
export class VirtualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  /** Sets the time back; running timers are not affected. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const timer of this.#timers) timer.at -= ms;
  }

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#now + ms, call };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /**
   * Advances time until a condition holds; throws if no timer is left.
   *
   * @param isBusy whether work is running that takes no virtual time
   */
  async runUntil(holds: () => boolean, isBusy: () => boolean): Promise<void> {
    for (;;) {
      for (let quiet = 0; quiet < 3; quiet++) {
        if (holds()) return;
        await turn();
        // Leaves the processor to the threads that decode pictures.
        for (; isBusy(); quiet = 0) await delay(1);
      }
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (next === undefined) throw new Error('Nothing to wait for');
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.call();
    }
  }

  /** Advances time by this much. */
  async run(ms: number, isBusy: () => boolean): Promise<void> {
    const end = this.#now + ms;
    this.after(ms, () => undefined);
    await this.runUntil(() => this.#now >= end, isBusy);
  }
}
