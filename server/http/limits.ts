import { Refusal } from '#shared/refusals';

const MINUTE_MS = 60_000;

/** Limits how often each person asks for something within a minute (docs/rules.md § 34). */
export class MinuteLimit {
  readonly #max: number;
  readonly #now: () => number;
  readonly #asked = new Map<string, number>();
  #minute = 0;

  constructor(max: number, now: () => number = Date.now) {
    this.#max = max;
    this.#now = now;
  }

  /** Counts a request; throws TROP_DE_DEMANDES where the person has asked as often as they may. */
  count(person: string): void {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    if (minute !== this.#minute) this.#asked.clear();
    this.#minute = minute;
    const asked = this.#asked.get(person) ?? 0;
    if (asked >= this.#max) throw new Refusal('TROP_DE_DEMANDES');
    this.#asked.set(person, asked + 1);
  }
}

/** Limits how many requests of one kind an address may have open at a time (docs/rules.md § 34). */
export class AddressLimit {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts a request until the function that this returns is called, once. Throws TROP_DE_DEMANDES where
   * the address has as many open as it may.
   */
  enter(address: string): () => void {
    const open = this.#open.get(address) ?? 0;
    if (open >= this.#max) throw new Refusal('TROP_DE_DEMANDES');
    this.#open.set(address, open + 1);
    return () => this.#leave(address);
  }

  #leave(address: string): void {
    const left = (this.#open.get(address) ?? 0) - 1;
    if (left > 0) this.#open.set(address, left);
    else this.#open.delete(address);
  }
}
