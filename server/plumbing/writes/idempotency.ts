import { createHash } from 'node:crypto';
import type { Message } from '#shared/history';
import { DAY_MS } from '#shared/days';
import { Refusal } from '#shared/refusals';
import { parseStored } from '#server/plumbing/common/stored-json';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

// Idempotency records (docs/rules.md § 29)

const KEPT_FOR_MS = DAY_MS;
const MAX_KEPT = 10_000;

/** A monotonic clock: the system clock may be corrected between two tries. */
const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());

/** Limits for the responses of large writes, which are in every backup, too. */
const LARGE_BYTES = 16 * 1024;
const MAX_LARGE_BYTES = 8 * 1024 * 1024;

interface IdempotencyRecord {
  /** Distinguishes the request from another one with the same key. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The message of its history entry, formatted when the response is sent again. */
  readonly message: Message | null;
  /** JSON, or empty. */
  readonly body: string;
}

export interface KeyOwner {
  readonly utilisateur: string;
  readonly key: string;
}

/** The key and fingerprint of a request. */
export interface RequestKey {
  readonly owner: KeyOwner;
  readonly fingerprint: string;
}

/** A digest of method, path and query without the language, and the body. */
export const fingerprint = (method: string, url: string, body: Buffer | null): string =>
  createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(body ?? '')
    .digest('base64');

/** Kept for a day, each in the transaction of its write, so that a power cut leaves both or neither. */
export class IdempotencyRecords {
  readonly #database: Reader;
  readonly #underWay = new Set<string>();

  constructor(database: Reader) {
    this.#database = database;
  }

  /** Reserves a key until the returned function is called. Throws `DEMANDE_EN_COURS` while another request has it. */
  reserve({ utilisateur, key }: KeyOwner): () => void {
    const name = JSON.stringify([utilisateur, key]);
    if (this.#underWay.has(name)) throw new Refusal('DEMANDE_EN_COURS');
    this.#underWay.add(name);
    return () => void this.#underWay.delete(name);
  }

  /** The stored response for a key, of whichever request. */
  under({ utilisateur, key }: KeyOwner): IdempotencyRecord | undefined {
    const row = this.#database.get<
      Omit<IdempotencyRecord, 'headers' | 'message'> & {
        readonly headers: string;
        readonly message: string | null;
      }
    >(
      `SELECT fingerprint, status, headers, arguments AS message, body FROM IdempotencyRecord
       WHERE utilisateur = @utilisateur AND key = @key AND date > @since`,
      { utilisateur, key, since: steadyNow() - KEPT_FOR_MS },
    );
    return (
      row && {
        ...row,
        headers: parseStored<IdempotencyRecord['headers']>(row.headers),
        message: row.message === null ? null : parseStored<Message>(row.message),
      }
    );
  }

  /** The stored response of a request. Throws `CLE_REUTILISEE` if the key belongs to another request. */
  find(owner: KeyOwner, requestFingerprint: string): IdempotencyRecord | undefined {
    const kept = this.under(owner);
    if (kept !== undefined && kept.fingerprint !== requestFingerprint)
      throw new Refusal('CLE_REUTILISEE');
    return kept;
  }

  /** Stores a response, and deletes the oldest ones beyond the limits of age, number and total size. */
  keep(
    tx: Transaction,
    { owner, fingerprint: requestFingerprint }: RequestKey,
    { headers, message, status, body }: Omit<IdempotencyRecord, 'fingerprint'>,
  ): void {
    const date = steadyNow();
    tx.run(
      `INSERT OR REPLACE INTO IdempotencyRecord (utilisateur, key, fingerprint, date, status, headers, arguments, body)
       VALUES (@utilisateur, @key, @fingerprint, @date, @status, @headers, @message, @body)`,
      {
        ...owner,
        fingerprint: requestFingerprint,
        date,
        status,
        headers: JSON.stringify(headers),
        message: message && JSON.stringify(message),
        body,
      },
    );
    // By ids, without counting: gaps of deleted large responses only lower the number.
    tx.run(
      `DELETE FROM IdempotencyRecord
       WHERE date <= ? OR id <= (SELECT max(id) FROM IdempotencyRecord) - ?`,
      date - KEPT_FOR_MS,
      MAX_KEPT,
    );
    if (body.length > LARGE_BYTES)
      tx.run(
        `DELETE FROM IdempotencyRecord WHERE id IN (
           SELECT id FROM (
             SELECT id, sum(octet_length(body)) OVER (ORDER BY id DESC) AS total
               FROM IdempotencyRecord WHERE octet_length(body) > ?)
             WHERE total > ?)`,
        LARGE_BYTES,
        MAX_LARGE_BYTES,
      );
  }
}
