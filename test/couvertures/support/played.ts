import { hash } from 'node:crypto';
import { CoverFetcher } from '#server/subjects/couvertures/fetcher';
import { CoverStore } from '#server/subjects/couvertures/cover-store';
import { NoImage, type Image } from '#server/subjects/couvertures/sources';
import type { Database } from '#server/plumbing/database/database';
import type { QueueOwner } from '#server/plumbing/upstream/queue';
import { png } from '../../support/png.ts';
import { VirtualClock } from './clock.ts';

/** A source's response: throws, or returns something other than the default picture. */
export type Answer = () => Promise<Image>;

/** A request to the sources, and its time. */
export interface Ask {
  readonly adresse: string;
  readonly source: 'first' | 'second';
  readonly at: number;
}

/** Sources inside the test's process, whose responses take virtual time only. */
class PlayedSources {
  readonly asks: Ask[] = [];
  readonly #answers = new Map<string, Answer>();
  readonly #clock: VirtualClock;
  readonly #delayMs: number;
  /** The number of pending requests. */
  waiting = 0;
  /** The maximum number of concurrent requests. */
  peak = 0;

  constructor(clock: VirtualClock, delayMs = 1500) {
    this.#clock = clock;
    this.#delayMs = delayMs;
  }

  /** Sets the response of an address; the prefix `second:` selects the second source. */
  answer(adresse: string, answer: Answer): void {
    this.#answers.set(adresse, answer);
  }

  first(adresse: string, signal: AbortSignal): Promise<Image> {
    return this.#ask({ adresse, source: 'first', at: this.#clock.now() }, signal);
  }

  second(isbn: string, { signal }: QueueOwner): Promise<Image> {
    const adresse = `second:${isbn}`;
    return this.#ask({ adresse, source: 'second', at: this.#clock.now() }, signal);
  }

  async #ask(ask: Ask, signal: AbortSignal): Promise<Image> {
    this.asks.push(ask);
    this.waiting++;
    this.peak = Math.max(this.peak, this.waiting);
    try {
      await Promise.race([this.#clock.pause(this.#delayMs), aborted(signal)]);
    } finally {
      this.waiting--;
    }
    const answer = this.#answers.get(ask.adresse);
    if (answer !== undefined) return answer();
    if (ask.source === 'second') throw new NoImage(404);
    return pictureOf(ask.adresse);
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Given up')));
  });

/** A small picture that differs for each address. */
export function pictureOf(adresse: string): Promise<Image> {
  const [width, height] = [20, 30];
  const pixels = Buffer.alloc(width * height, hash('sha256', adresse, 'buffer'));
  return Promise.resolve({ type: 'image/png', content: png({ width, height, pixels }) });
}

/** A fetcher on a database, with sources and a clock controlled by the test. */
export function playFetcher(database: Database, folder: string, delayMs?: number) {
  const clock = new VirtualClock();
  const sources = new PlayedSources(clock, delayMs);
  const store = new CoverStore(database, folder);
  const failures: unknown[] = [];
  const failed = (error: unknown): void => void failures.push(error);
  const open = () => new CoverFetcher({ database, store, sources, clock, failed });
  let fetcher = open();
  const isBusy = () => fetcher.running > sources.waiting;
  return {
    clock,
    sources,
    store,
    failures,
    get fetcher() {
      return fetcher;
    },
    /** Stops the fetcher and starts another, as a restart does. */
    restart: async () => {
      await fetcher.stop();
      fetcher = open();
      fetcher.start();
    },
    runUntil: (holds: () => boolean) => clock.runUntil(holds, isBusy),
    run: (ms: number) => clock.run(ms, isBusy),
  };
}
