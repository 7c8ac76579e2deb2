import { httpErrors } from '@fastify/sensible';
import { networkOf } from './identity.ts';

/**
 * Limits how many requests of one kind a network may have open at a time (docs/rules.md § 34):
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
   * its network has as many open as it may.
   */
  enter(address: string): () => void {
    const network = networkOf(address);
    const open = this.#open.get(network) ?? 0;
    if (open >= this.#max) throw httpErrors.tooManyRequests();
    this.#open.set(network, open + 1);
    return () => this.#leave(network);
  }

  #leave(network: string): void {
    const left = (this.#open.get(network) ?? 0) - 1;
    if (left > 0) this.#open.set(network, left);
    else this.#open.delete(network);
  }
}
