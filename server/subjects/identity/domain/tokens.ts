import { createHash, randomBytes } from 'node:crypto';

/** Long enough that nobody guesses one; a link is read from a QR code, which shorter ones make coarser. */
const BYTES = { link: 16, session: 32 } as const;

/** Draws a secret, of characters that an address may hold. */
export const drawToken = (kind: keyof typeof BYTES): string =>
  randomBytes(BYTES[kind]).toString('base64url');

/** What is kept of a secret. It is random, so that a fast hash without salt is enough. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
