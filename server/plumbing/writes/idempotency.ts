import { createHash } from 'node:crypto';
import type { Message } from '#shared/history';
import { DAY_MS } from '#shared/days';
import { Refusal } from '#shared/refusals';
import { parseStored } from '#server/plumbing/common/stored-json';
import type { Reader, Transaction } from '#server/plumbing/database/connection';

// Answers kept for a key (docs/rules.md § 29)

const KEPT_FOR_MS = DAY_MS;
const MAX_KEPT = 10_000;

/** By a clock that nobody sets while the service runs: one that was a day behind may be put right between two tries. */
const steadyNow = (): number => Math.round(performance.timeOrigin + performance.now());

/** Bounds on the answers of many records, which each backup holds, too. */
const LARGE_BYTES = 16 * 1024;
const MAX_LARGE_BYTES = 8 * 1024 * 1024;

interface IdempotencyRecord {
  /** Tells the answered request from another one with the same key. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its act, whose sentence is made when the answer is sent again. */
  readonly message: Message | null;
  /** JSON, or empty. */
  readonly body: string;
}

export interface KeyOwner {
  readonly utilisateur: string;
  readonly key: string;
}

/** The key of a request, and what tells the request from another one with the same key. */
export interface RequestKey {
  readonly owner: KeyOwner;
  readonly fingerprint: string;
}

/** By method, path and query as sent, the language left out, and the bytes of the body. */
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

  /** Until the returned function is called. Throws `DEMANDE_EN_COURS` while another request holds the key. */
  reserve({ utilisateur, key }: KeyOwner): () => void {
    const name = JSON.stringify([utilisateur, key]);
    if (this.#underWay.has(name)) throw new Refusal('DEMANDE_EN_COURS');
    this.#underWay.add(name);
    return () => void this.#underWay.delete(name);
  }

  /** The answer kept under a key, whichever request's it is. */
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

  /** The kept answer of a request. Throws `CLE_REUTILISEE` where the key was another request's. */
  find(owner: KeyOwner, requestFingerprint: string): IdempotencyRecord | undefined {
    const kept = this.under(owner);
    if (kept !== undefined && kept.fingerprint !== requestFingerprint)
      throw new Refusal('CLE_REUTILISEE');
    return kept;
  }

  /** Keeps an answer, and deletes those that are too old, too many, or too large in all, the oldest first. */
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
    // By ids, without counting: where large answers have left holes, fewer are kept.
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
