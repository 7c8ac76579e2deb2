import PQueue from 'p-queue';

export interface QueueLimits {
  readonly total: number;
  readonly perOwner?: number;
  readonly waiting: number;
}

export interface QueueOwner {
  /** A person, or the network of an unknown caller. */
  readonly owner: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

interface Options {
  /** Within one owner's work the lightest runs first. */
  readonly weight?: number;
  /** Whether it runs before other owners' normal work. */
  readonly isUrgent?: boolean;
  readonly waiting?: number;
}

export class QueueFull extends Error {}

interface OwnerLine {
  readonly queue: PQueue;
  size: number;
}

/**
 * Runs a limited amount of work at a time. Each owner has a queue and enters the common queue only with what may run
 * at once: an owner with much work delays the others by one turn (docs/rules.md § 34).
 */
export class FairQueue {
  readonly #limits: Required<QueueLimits>;
  readonly #common: PQueue;
  readonly #lines = new Map<string, OwnerLine>();
  #wake: NodeJS.Timeout | undefined;

  constructor({ total, perOwner = total, waiting }: QueueLimits) {
    this.#limits = { total, perOwner, waiting };
    this.#common = new PQueue({ concurrency: total });
  }

  /** Runs work in its turn. Rejects without running it if the signal is aborted first. Throws QueueFull. */
  async run<T>(
    { owner, signal }: QueueOwner,
    work: () => Promise<T>,
    { weight = 0, isUrgent = false, waiting = this.#limits.waiting }: Options = {},
  ): Promise<T> {
    signal.throwIfAborted();
    const line = this.#lineOf(owner);
    if (line.size >= this.#limits.perOwner + waiting) throw new QueueFull('Too much is waiting');
    // Only the wait is cancelled: work that has begun is finished.
    const wait = new AbortController();
    const giveUp = (): void =>
      wait.abort(new Error('Given up while waiting for a turn', { cause: signal.reason }));
    const begin = (): Promise<T> => {
      signal.removeEventListener('abort', giveUp);
      return work();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    line.size++;
    try {
      const turn = { signal: wait.signal, priority: isUrgent ? 1 : 0 };
      const options = { signal: wait.signal, priority: -weight };
      return await line.queue.add(() => this.#common.add(begin, turn), options);
    } finally {
      signal.removeEventListener('abort', giveUp);
      line.size--;
      if (line.size === 0) this.#lines.delete(owner);
    }
  }

  /** How much work would begin at once if slots were free. */
  get waiting(): number {
    return this.#common.size;
  }

  /** Begins nothing for so many milliseconds. */
  rest(ms: number): void {
    this.#common.pause();
    clearTimeout(this.#wake);
    this.#wake = setTimeout(() => this.#common.start(), ms).unref();
  }

  get isResting(): boolean {
    return this.#common.isPaused;
  }

  #lineOf(owner: string): OwnerLine {
    const line = this.#lines.get(owner) ?? {
      queue: new PQueue({ concurrency: this.#limits.perOwner }),
      size: 0,
    };
    this.#lines.set(owner, line);
    return line;
  }
}
