import { httpErrors } from '@fastify/sensible';

/**
 * Limits how many requests of one kind an address may have open at a time (docs/rules.md § 34):
 * `@fastify/rate-limit` counts requests in time, and an event stream has no end.
 */
export class AddressLimit {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Counts a request until the function that this returns is called, once. Throws 429 where
   * the address has as many open as it may.
   */
  enter(address: string): () => void {
    const open = this.#open.get(address) ?? 0;
    if (open >= this.#max) throw httpErrors.tooManyRequests();
    this.#open.set(address, open + 1);
    return () => this.#leave(address);
  }

  #leave(address: string): void {
    const left = (this.#open.get(address) ?? 0) - 1;
    if (left > 0) this.#open.set(address, left);
    else this.#open.delete(address);
  }
}
