import { setTimeout as delay } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { Refusal } from '#shared/refusals';

/** Wrong tries that cost nothing. */
const FREE = 5;
/** How long an address waits after them, twice as long after each further one, and the longest, in seconds. */
const WAIT_S = 10;
const MAX_WAIT_S = 60;
/** By how much each further try on an account waits, and the longest, in milliseconds. */
const DELAY_MS = 500;
const MAX_DELAY_MS = 2_500;
const FORGOTTEN_MS = 15 * 60_000;
const MAX_KEPT = 10_000;

interface Tries {
  count: number;
  lastMs: number;
}

/** Counts of wrong tries by what they are counted for, the latest last; bounded. */
class Counts {
  readonly #counts = new Map<string, Tries>();

  of(key: string): Readonly<Tries> {
    const tries = this.#counts.get(key);
    const isKnown = tries !== undefined && Date.now() - tries.lastMs < FORGOTTEN_MS;
    return isKnown ? tries : { count: 0, lastMs: 0 };
  }

  add(key: string, change: number): void {
    const count = this.of(key).count + change;
    this.#counts.delete(key);
    if (count <= 0) return;
    this.#counts.set(key, { count, lastMs: Date.now() });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_KEPT && oldest !== undefined) this.#counts.delete(oldest);
  }
}

/**
 * Slows down whoever guesses (docs/rules.md § 53). After five wrong tries an address is refused for twice as long
 * each time. An account is only made to wait, by seconds: whoever else knows its name cannot shut its member out.
 */
export class Attempts {
  readonly #addresses = new Counts();
  readonly #accounts = new Counts();

  /**
   * Tries a secret. A try counts as wrong while it is under way, so that many at once are no way around. Throws
   * `TROP_DE_TENTATIVES`.
   *
   * @param isRight tells whether the secret was the right one
   */
  async try(address: string, account: string, isRight: () => Promise<boolean>): Promise<boolean> {
    const from = networkOf(address);
    const waitS = this.#waitOf(from);
    if (waitS > 0) throw new Refusal('TROP_DE_TENTATIVES', { secondes: waitS });
    this.#count(from, account, 1);
    const over = this.#accounts.of(account).count - FREE;
    if (over > 0) await delay(Math.min(over * DELAY_MS, MAX_DELAY_MS));
    const right = await isRight();
    // The wait after a wrong one begins with its answer.
    this.#count(from, account, right ? -1 : 0);
    return right;
  }

  #count(from: string, account: string, change: number): void {
    this.#addresses.add(from, change);
    this.#accounts.add(account, change);
  }

  #waitOf(from: string): number {
    const { count, lastMs } = this.#addresses.of(from);
    if (count < FREE) return 0;
    const waitMs = Math.min(WAIT_S * 2 ** (count - FREE), MAX_WAIT_S) * 1000;
    return Math.max(0, Math.ceil((lastMs + waitMs - Date.now()) / 1000));
  }
}

/** One household has a whole network of IPv6 addresses. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  return read instanceof ipaddr.IPv6 ? read.parts.slice(0, 4).join(':') : read.toString();
}
