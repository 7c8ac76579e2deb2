import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#server/subjects/couvertures/cover-store';

interface Timer {
  at: number;
  readonly call: () => void;
}

/** A clock that a test turns: time passes when everything waits for it, and then at once. */
export class VirtualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  /** Sets the time back; what waits, waits as long as before. */
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
   * Lets time pass until something holds. Throws when nothing is left to wait for.
   *
   * @param isBusy whether work is under way that takes no virtual time
   */
  async runUntil(holds: () => boolean, isBusy: () => boolean): Promise<void> {
    for (;;) {
      for (let quiet = 0; quiet < 3; quiet++) {
        if (holds()) return;
        await turn();
        // The threads of the pictures get the processor meanwhile.
        for (; isBusy(); quiet = 0) await delay(1);
      }
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (next === undefined) throw new Error('Nothing to wait for');
      this.#now = Math.max(this.#now, next.at);
      this.#timers.delete(next);
      next.call();
    }
  }

  /** Lets so much time pass. */
  async run(ms: number, isBusy: () => boolean): Promise<void> {
    const end = this.#now + ms;
    this.after(ms, () => undefined);
    await this.runUntil(() => this.#now >= end, isBusy);
  }
}
