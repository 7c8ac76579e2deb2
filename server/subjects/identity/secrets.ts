import {
  argon2,
  createCipheriv,
  createDecipheriv,
  createHash,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Refusal } from '#shared/refusals';
import { parseStored } from '#server/plumbing/common/stored-json';
import { FairQueue, QueueFull } from '#server/plumbing/upstream/queue';
import type { Networks } from '#server/plumbing/http/identity';

export interface SecretSender {
  readonly networks: Networks;
  /** The hash of a device token that the browser has from an earlier sign-in; `null` without one. */
  readonly device: string | null;
  /** Whether any member has signed in from its network lately. */
  readonly isFromHome: boolean;
  readonly signal: AbortSignal;
}

/** Long enough not to be guessed; a longer link would need a finer QR code, which is harder to read. */
const BYTES = { link: 16, session: 32 } as const;

export const drawToken = (kind: keyof typeof BYTES): string =>
  randomBytes(BYTES[kind]).toString('base64url');

/** Random secrets need no more than a fast hash without salt. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const MAX_SPENT = 100_000;

interface SealedValue<T> {
  readonly endMs: number;
  readonly value: T;
}

/**
 * A pending step is sent to the browser, sealed by a key of this process, instead of a pool that others could fill.
 * Only used secrets are remembered until they expire, since each is valid once.
 */
export class SealedSecrets<T> {
  readonly #lifeMs: number;
  readonly #key = randomBytes(32);
  /** The end of each answered secret, by its nonce. */
  readonly #spent = new Map<string, number>();

  constructor({ lifeMs }: { readonly lifeMs: number }) {
    this.#lifeMs = lifeMs;
  }

  /** A random text in base64url. */
  seal(value: T): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    const sealed: SealedValue<T> = { endMs: performance.now() + this.#lifeMs, value };
    const text = Buffer.concat([cipher.update(JSON.stringify(sealed)), cipher.final()]);
    return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
  }

  /** `undefined` for an unknown, answered or expired secret. */
  find(secret: string): T | undefined {
    return this.#open(secret)?.value;
  }

  take(secret: string): T | undefined {
    const opened = this.#open(secret);
    if (opened !== undefined) this.#spend(opened);
    return opened?.value;
  }

  #open(secret: string): (SealedValue<T> & { readonly nonce: string }) | undefined {
    const bytes = Buffer.from(secret, 'base64url');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    if (bytes.length < NONCE_BYTES + TAG_BYTES || this.#spent.has(nonce.toString('hex')))
      return undefined;
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const sealed = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      const text = Buffer.concat([sealed, decipher.final()]).toString();
      const read = parseStored<SealedValue<T>>(text);
      return performance.now() < read.endMs ? { ...read, nonce: nonce.toString('hex') } : undefined;
    } catch {
      return undefined;
    }
  }

  #spend({ nonce, endMs }: { readonly nonce: string; readonly endMs: number }): void {
    for (const [other, otherEndMs] of this.#spent) {
      const isOver = otherEndMs <= performance.now();
      if (!isOver && this.#spent.size < MAX_SPENT) break;
      this.#spent.delete(other);
    }
    this.#spent.set(nonce, endMs);
  }
}

/** The wrong tries that are free, of an address or a /64, of a /56 and of a /48. */
const FREE = [5, 10, 20] as const;
/** The first wait of a network after these, doubled each time, and the longest. */
const WAIT_S = 10;
const MAX_WAIT_S = 60;
/** Wrong attempts on an account without a delay, the growth of further delays, and the longest delay. */
const FREE_OF_ACCOUNT = 5;
const DELAY_MS = 500;
const MAX_DELAY_MS = 5_000;
/** How many attempts may wait on one account. */
const MAX_WAITING = 4;
const FORGOTTEN_MS = 15 * 60_000;
const MAX_KEPT = 10_000;

interface TryCount {
  count: number;
  /** Monotonic. */
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
 * Slows down guessing (docs/rules.md § 53, docs/decisions/0028-who-waits-for-whose-tries.md). After some wrong
 * attempts a network is refused, twice as long each time. Attempts on an account are compared one after another with
 * delays of seconds, in three queues: known devices, networks where members sign in, and all others, so that none
 * delays the others.
 */
export class Attempts {
  readonly #networks = new Counts();
  readonly #lines = new Counts();
  readonly #turns = new FairQueue({ total: Infinity, perOwner: 1, waiting: MAX_WAITING });

  /**
   * A pending attempt counts as failed, so that parallel attempts do not evade the limit; one whose comparison throws
   * does not count. From a network where members sign in, a blocked attempt is still compared: a familiar member's
   * right secret succeeds, and all others get the same refusal. Throws `TROP_DE_TENTATIVES`.
   *
   * @param isFamiliar whether the account's member has signed in from this network lately
   * @param compare returns the result of the right secret, `null` for a wrong one
   */
  async try<T>(
    { networks, device, isFromHome, signal }: SecretSender,
    { account, isFamiliar }: { readonly account: string; readonly isFamiliar: boolean },
    compare: () => Promise<T | null>,
  ): Promise<T | null> {
    const waitS = this.#waitOf(networks);
    if (waitS > 0 && !isFromHome) throw new Refusal('TROP_DE_TENTATIVES', { secondes: waitS });
    // Also counted for unknown names.
    const line = `${account} ${device ?? (isFromHome ? networks[0] : '')}`;
    const count = (change: number): void => {
      for (const network of networks) this.#networks.add(network, change);
      this.#lines.add(line, change);
    };
    count(1);
    const opened = await this.#inTurn(line, signal, compare).catch((error: unknown) => {
      count(-1);
      throw error;
    });
    const opens = opened !== null && (waitS === 0 || isFamiliar);
    // The delay after a wrong attempt begins with its response. A refused right one counts, too,
    // since later delays would reveal it.
    count(opens ? -1 : 0);
    if (waitS > 0 && !opens)
      throw new Refusal('TROP_DE_TENTATIVES', { secondes: this.#waitOf(networks) || waitS });
    return opened;
  }

  async #inTurn<T>(line: string, signal: AbortSignal, compare: () => Promise<T>): Promise<T> {
    const delayMs = (): number => {
      const over = this.#lines.of(line).count - FREE_OF_ACCOUNT;
      return Math.min(Math.max(0, over) * DELAY_MS, MAX_DELAY_MS);
    };
    const work = async () => {
      if (delayMs() > 0) await delay(delayMs(), undefined, { signal });
      return await compare();
    };
    try {
      return await this.#turns.run({ owner: line, signal }, work);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      const secondes = Math.ceil((delayMs() * MAX_WAITING) / 1000) || 1;
      throw new Refusal('TROP_DE_TENTATIVES', { secondes });
    }
  }

  #waitOf(networks: Networks): number {
    const waits = networks.map((network, i) => {
      const { count, lastMs } = this.#networks.of(network);
      const over = count - (FREE[i] ?? 0);
      if (over < 0) return 0;
      const waitMs = Math.min(WAIT_S * 2 ** over, MAX_WAIT_S) * 1000;
      return Math.ceil((lastMs + waitMs - performance.now()) / 1000);
    });
    return Math.max(0, ...waits);
  }
}

/** The minimum of OWASP for argon2id: 19 MiB, two passes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;
const LENGTH = 32;
const argon2id = promisify(argon2);

/**
 * The number of attempts that may wait: each hash takes 19 MiB and half a second of a small processor. Separate
 * limits for networks where members sign in, for known devices, and for all others together.
 */
const hashing = new FairQueue({ total: 2, waiting: 20 });

export async function hashPassword(password: string, sender: SecretSender): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, sender);
  return PREFIX + [salt, hash].map(unpadded).join('$');
}

/**
 * Whether a password matches a PHC string. Without one it is compared with a dummy, so that unknown names take as
 * long as known ones (docs/rules.md § 53). Throws `TROP_DE_DEMANDES`.
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

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/={1,2}$/, '');

const OF_NOBODY = PREFIX + [randomBytes(16), randomBytes(LENGTH)].map(unpadded).join('$');

/** Known devices and networks come first; networks take turns. */
async function derive(
  message: string,
  nonce: Buffer,
  { networks, device, isFromHome, signal }: SecretSender,
): Promise<Buffer> {
  const isKnown = device !== null || isFromHome;
  const caller = { owner: isKnown ? networks[0] : 'strangers', signal };
  const work = () => argon2id('argon2id', { message, nonce, tagLength: LENGTH, ...COST });
  try {
    return await hashing.run(caller, work, { isUrgent: isKnown });
  } catch (error) {
    throw error instanceof QueueFull ? new Refusal('TROP_DE_DEMANDES') : error;
  }
}
