import { argon2, createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Refusal } from '#shared/refusals';
import { FairQueue, QueueFull } from '#server/plumbing/upstream/queue';

export interface SecretSender {
  /** One for all addresses of a household (`networkOf`). */
  readonly network: string;
  /** Whether somebody was signed in on the device before. */
  readonly isKnown: boolean;
  readonly signal: AbortSignal;
}

/** Long enough that nobody guesses one; a longer link would make a finer QR code, which is harder to read. */
const BYTES = { link: 16, session: 32 } as const;

export const drawToken = (kind: keyof typeof BYTES): string =>
  randomBytes(BYTES[kind]).toString('base64url');

/** Random secrets need no more than a fast hash without salt. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** One secret too many pushes out the oldest of its own network, or of the network with the most. */
export class PendingSecrets<T> {
  readonly #lifeMs: number;
  readonly #max: number;
  readonly #entries = new Map<string, { network: string; endMs: number; value: T }>();

  constructor({ lifeMs, max }: { readonly lifeMs: number; readonly max: number }) {
    this.#lifeMs = lifeMs;
    this.#max = max;
  }

  keep(secret: string, network: string, value: T): void {
    if (this.#entries.size >= this.#max) this.#makeRoom(network);
    this.#entries.set(secret, { network, endMs: performance.now() + this.#lifeMs, value });
  }

  /** `undefined` for an unknown, used or expired secret. */
  find(secret: string): T | undefined {
    const entry = this.#entries.get(secret);
    return entry !== undefined && performance.now() < entry.endMs ? entry.value : undefined;
  }

  take(secret: string): T | undefined {
    const value = this.find(secret);
    this.#entries.delete(secret);
    return value;
  }

  #makeRoom(network: string): void {
    const byNetwork = Map.groupBy(this.#entries, ([, entry]) => entry.network);
    const [largest] = [...byNetwork.values()].sort((a, b) => b.length - a.length);
    const [oldest] = byNetwork.get(network) ?? largest ?? [];
    if (oldest !== undefined) this.#entries.delete(oldest[0]);
  }
}

const FREE = 5;
/** The first wait of a network after these, doubled each time, and the longest. */
const WAIT_S = 10;
const MAX_WAIT_S = 60;
/** How much longer each further try on an account waits, and the longest wait. */
const DELAY_MS = 500;
const MAX_DELAY_MS = 2_500;
const FORGOTTEN_MS = 15 * 60_000;
const MAX_KEPT = 10_000;

interface TryCount {
  count: number;
  /** By the monotonic clock, which nobody sets. */
  lastMs: number;
}

class Counts {
  readonly #counts = new Map<string, TryCount>();

  of(key: string): Readonly<TryCount> {
    const tries = this.#counts.get(key);
    const isRecent = tries !== undefined && performance.now() - tries.lastMs < FORGOTTEN_MS;
    return isRecent ? tries : { count: 0, lastMs: 0 };
  }

  add(key: string, change: number): void {
    const count = this.of(key).count + change;
    this.#counts.delete(key);
    if (count <= 0) return;
    this.#counts.set(key, { count, lastMs: performance.now() });
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_KEPT && oldest !== undefined) this.#counts.delete(oldest);
  }
}

/**
 * Slows down whoever guesses (docs/rules.md § 53). After five wrong tries a network is refused, twice as long each
 * time. An account only waits for seconds: whoever else knows its name must not shut its member out.
 */
export class Attempts {
  readonly #networks = new Counts();
  readonly #accounts = new Counts();

  /**
   * A try counts as wrong while it is under way, so that many at once are no way around; one that was never compared
   * does not count. Throws `TROP_DE_TENTATIVES`.
   *
   * @param compare gives what the right secret opens, `null` for a wrong one
   */
  async try<T>(
    { network, signal }: SecretSender,
    account: string,
    compare: () => Promise<T | null>,
  ): Promise<T | null> {
    const waitS = this.#waitOf(network);
    if (waitS > 0) throw new Refusal('TROP_DE_TENTATIVES', { secondes: waitS });
    const count = (change: number): void => {
      this.#networks.add(network, change);
      this.#accounts.add(account, change);
    };
    count(1);
    try {
      const over = this.#accounts.of(account).count - FREE;
      if (over > 0) await delay(Math.min(over * DELAY_MS, MAX_DELAY_MS), undefined, { signal });
      const opened = await compare();
      // The wait after a wrong try begins with its answer.
      count(opened === null ? 0 : -1);
      return opened;
    } catch (error) {
      count(-1);
      throw error;
    }
  }

  #waitOf(network: string): number {
    const { count, lastMs } = this.#networks.of(network);
    if (count < FREE) return 0;
    const waitMs = Math.min(WAIT_S * 2 ** (count - FREE), MAX_WAIT_S) * 1000;
    return Math.max(0, Math.ceil((lastMs + waitMs - performance.now()) / 1000));
  }
}

/** The least that OWASP asks of argon2id: 19 MiB, two passes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;
const LENGTH = 32;
const argon2id = promisify(argon2);

/**
 * Each takes 19 MiB, and half a second of a small processor. So many may wait of one network, and of all devices on
 * which nobody was signed in before.
 */
const hashing = new FairQueue({ total: 2, waiting: 20 });

export async function hashPassword(password: string, sender: SecretSender): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, sender);
  return PREFIX + [salt, hash].map(unpadded).join('$');
}

/**
 * Whether a password matches a PHC string. Without one it is compared with nobody's, so that an unknown name takes as
 * long as a known one (docs/rules.md § 53). Throws `TROP_DE_DEMANDES`.
 */
export async function isPassword(
  password: string,
  stored: string | null,
  sender: SecretSender,
): Promise<boolean> {
  const [salt = '', hash = ''] = (stored ?? OF_NOBODY).slice(PREFIX.length).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64'), sender);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== null;
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const OF_NOBODY = PREFIX + [randomBytes(16), randomBytes(LENGTH)].map(unpadded).join('$');

/** Known devices come first, and their networks take turns. */
async function derive(
  message: string,
  nonce: Buffer,
  { network, isKnown, signal }: SecretSender,
): Promise<Buffer> {
  const asker = { owner: isKnown ? network : 'strangers', signal };
  const work = () => argon2id('argon2id', { message, nonce, tagLength: LENGTH, ...COST });
  try {
    return await hashing.run(asker, work, { isUrgent: isKnown });
  } catch (error) {
    throw error instanceof QueueFull ? new Refusal('TROP_DE_DEMANDES') : error;
  }
}
