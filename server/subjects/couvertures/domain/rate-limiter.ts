import { BNF_HOST, ISBN_HOST } from './sources.ts';

/** Requests at a time to one host. */
const AT_A_TIME = 6;
/** As many questions to the national library as one person may have under way. */
const BNF_AT_A_TIME = 2;
/** Open Library allows 100 covers by ISBN in five minutes; five seconds allow for its own clock. */
const MAX_COUNTED = 100;
export const COUNTED_MS = 5 * 60_000 + 5_000;
/** After this many requests in a row without an answer the host is left alone. */
const MAX_SILENCES = 3;
/** How long: a minute, then twice as long each time, an hour at most. */
const SILENCE_MS = 60_000;
const MAX_SILENCE_MS = 3_600_000;

/** When one host may be asked (docs/rules.md § 43). */
export class RateLimiter {
  /** When the latest request began. */
  lastBegin = 0;
  readonly #isCounted: boolean;
  readonly #atATime: number;
  #running = 0;
  #pausedUntil = 0;
  #silences = 0;
  /** When the counted requests of the last minutes began, the earliest first. */
  #begun: number[];

  /** @param counted the requests of the last minutes, where the host counts them */
  constructor(counted: readonly number[] | null, atATime: number) {
    this.#isCounted = counted !== null;
    this.#begun = [...(counted ?? [])];
    this.#atATime = atATime;
  }

  /**
   * The instant from which one more request may begin, in the past where it may begin now; Infinity
   * while as many as allowed are under way.
   */
  nextBegin(now: number): number {
    if (this.#running >= this.#atATime) return Infinity;
    return Math.max(this.#pausedUntil, this.#freeOfCount(now));
  }

  /** Whether one more request may begin but for those under way. */
  isFree(now: number): boolean {
    return Math.max(this.#pausedUntil, this.#freeOfCount(now)) <= now;
  }

  begin(now: number): void {
    this.#running++;
    this.lastBegin = now;
    this.count(now);
  }

  end(): void {
    this.#running--;
  }

  /** Counts a request that somebody else has made. */
  count(now: number): void {
    if (this.#isCounted) this.#begun.push(now);
  }

  noteAnswer(): void {
    this.#silences = 0;
  }

  /** The host wants to be left alone until an instant. */
  pauseUntil(instant: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, instant);
  }

  /** The host did not answer at all. */
  noteSilence(now: number): void {
    if (this.#pausedUntil > now) return;
    this.#silences++;
    const longer = this.#silences - MAX_SILENCES;
    if (longer >= 0) this.pauseUntil(now + Math.min(SILENCE_MS * 2 ** longer, MAX_SILENCE_MS));
  }

  #freeOfCount(now: number): number {
    // By a clock that was put back since, they began in the future: counted from now on they pass away.
    this.#begun = this.#begun
      .map((instant) => Math.min(instant, now))
      .filter((instant) => instant > now - COUNTED_MS);
    const earliest = this.#begun.at(-MAX_COUNTED);
    return earliest === undefined ? 0 : earliest + COUNTED_MS;
  }
}

/**
 * The limits of a host of the queue.
 *
 * @param counted gives the requests of the last minutes to the one host that counts them
 */
export function openRateLimiter(hote: string, counted: () => readonly number[]): RateLimiter {
  if (hote === ISBN_HOST) return new RateLimiter(counted(), AT_A_TIME);
  return new RateLimiter(null, hote === BNF_HOST ? BNF_AT_A_TIME : AT_A_TIME);
}
