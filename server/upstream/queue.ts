/** How much a queue runs at a time. */
export interface QueueLimits {
  readonly total: number;
  /** For one owner; `total` where it is left out. */
  readonly perOwner?: number;
}

/**
 * Runs so much work at a time; the rest waits. Each owner has a line of their own, the lines take
 * turns, and nobody's work fills the queue: however much one owner asks for, the others wait for
 * one turn (docs/rules.md § 34).
 */
export class FairQueue {
  readonly #limits: Required<QueueLimits>;
  readonly #running = new Map<string, number>();
  #total = 0;
  /** The owner whose turn is longest ago comes first. */
  readonly #lines = new Map<string, (() => void)[]>();

  constructor({ total, perOwner = total }: QueueLimits) {
    this.#limits = { total, perOwner };
  }

  /**
   * Does the work when its turn comes, and settles as it does. Rejects without doing it when the
   * signal is aborted before.
   */
  async run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#enter(owner, signal);
    try {
      return await work();
    } finally {
      this.#leave(owner);
    }
  }

  async #enter(owner: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#remove(owner, start);
        reject(new Error('Given up while waiting for a turn', { cause: signal.reason }));
      };
      signal.addEventListener('abort', giveUp, { once: true });
      const line = this.#lines.get(owner);
      if (line === undefined) this.#lines.set(owner, [start]);
      else line.push(start);
      this.#startNext();
    });
  }

  #leave(owner: string): void {
    this.#total--;
    const left = this.#runningOf(owner) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#startNext();
  }

  /** Starts what the limits allow, one of each line in turn. */
  #startNext(): void {
    for (const [owner, line] of this.#lines) {
      if (this.#total === this.#limits.total) return;
      if (this.#runningOf(owner) === this.#limits.perOwner) continue;
      const [start, ...rest] = line;
      // A key that is set anew is the map's last one: the iteration under way reaches it again.
      this.#lines.delete(owner);
      if (rest.length > 0) this.#lines.set(owner, rest);
      this.#total++;
      this.#running.set(owner, this.#runningOf(owner) + 1);
      start?.();
    }
  }

  #remove(owner: string, start: () => void): void {
    const rest = (this.#lines.get(owner) ?? []).filter((other) => other !== start);
    if (rest.length > 0) this.#lines.set(owner, rest);
    else this.#lines.delete(owner);
  }

  #runningOf(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }
}
