import type { Clock } from './clock.ts';

/** How long a picture that was offered may be seen and chosen. */
export const OFFER_MS = 3_600_000;

interface Offer {
  readonly cle: string;
  readonly end: number;
}

/** Which pictures are offered to whom, each for an hour (docs/rules.md § 43). */
export class Offers {
  readonly #clock: Clock;
  readonly #onEnd: (cles: ReadonlySet<string>) => void;
  /** By person and picture, the first to end first. */
  readonly #offers = new Map<string, Offer>();
  #cancelTimer: () => void = () => undefined;

  /** @param onEnd called with the pictures that are offered to nobody any more */
  constructor(clock: Clock, onEnd: (cles: ReadonlySet<string>) => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
  }

  has(owner: string, cle: string): boolean {
    const offer = this.#offers.get(keyOf(owner, cle));
    return offer !== undefined && offer.end > this.#clock.now();
  }

  /** Offers pictures to a person; earlier offers stay, since the person may have two screens open. */
  add(owner: string, cles: Iterable<string>): void {
    const end = this.#clock.now() + OFFER_MS;
    for (const cle of cles) {
      const key = keyOf(owner, cle);
      this.#offers.delete(key);
      this.#offers.set(key, { cle, end });
    }
    this.#endDue();
  }

  stop(): void {
    this.#cancelTimer();
  }

  #endDue(): void {
    this.#cancelTimer();
    const now = this.#clock.now();
    const ended = new Set<string>();
    for (const [key, { cle, end }] of this.#offers) {
      if (end > now) {
        this.#cancelTimer = this.#clock.after(end - now, () => this.#endDue());
        break;
      }
      this.#offers.delete(key);
      ended.add(cle);
    }
    for (const { cle } of this.#offers.values()) ended.delete(cle);
    if (ended.size > 0) this.#onEnd(ended);
  }
}

const keyOf = (owner: string, cle: string): string => `${cle} ${owner}`;
