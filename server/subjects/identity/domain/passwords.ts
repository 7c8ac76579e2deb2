import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '#shared/refusals';
import { FairQueue, QueueFull } from '#server/plumbing/upstream/queue';

/** What OWASP asks of argon2id at least: 19 MiB, two passes. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;
const LENGTH = 32;

/** Each takes 19 MiB and half a second of a small processor. */
const queue = new FairQueue({ total: 2, perOwner: 1, waiting: 20 });

const argon2id = promisify(argon2);

/** Whose turn it is: an address. */
type Owner = string;

/** The PHC string of a password or a short code. Throws `TROP_DE_DEMANDES` where too many of one address wait. */
export async function hashPassword(password: string, owner: Owner): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, owner);
  return PREFIX + [salt, hash].map(unpadded).join('$');
}

/**
 * Whether a password is that of a PHC string; without one it is compared with nobody's, so that an unknown name
 * takes as long as a known one (docs/rules.md § 53). Throws `TROP_DE_DEMANDES`.
 */
export async function isPassword(
  password: string,
  stored: string | null,
  owner: Owner,
): Promise<boolean> {
  const [salt = '', hash = ''] = (stored ?? OF_NOBODY).slice(PREFIX.length).split('$');
  const derived = await derive(password, Buffer.from(salt, 'base64'), owner);
  return timingSafeEqual(derived, Buffer.from(hash, 'base64')) && stored !== null;
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const OF_NOBODY = PREFIX + [randomBytes(16), randomBytes(LENGTH)].map(unpadded).join('$');

async function derive(message: string, nonce: Buffer, owner: Owner): Promise<Buffer> {
  try {
    return await queue.run({ owner, signal: new AbortController().signal }, () =>
      argon2id('argon2id', { message, nonce, tagLength: LENGTH, ...COST }),
    );
  } catch (error) {
    throw error instanceof QueueFull ? new Refusal('TROP_DE_DEMANDES') : error;
  }
}
