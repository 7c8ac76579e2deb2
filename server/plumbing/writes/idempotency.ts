import { createHash } from 'node:crypto';
import { Refusal } from '#shared/refusals';
import type { Reader, Transaction } from '#server/plumbing/database/connection';
import { parseKept } from '#server/plumbing/database/columns';

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_KEPT = 10_000;
/** Bounds on the answers of many records, which each backup holds, too. */
const LARGE_BYTES = 16 * 1024;
const MAX_LARGE_BYTES = 8 * 1024 * 1024;

interface IdempotencyRecord {
  /** Tells the answered request from another one with the same key. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or empty. */
  readonly body: string;
}

export interface KeyOwner {
  readonly utilisateur: string;
  readonly key: string;
}

/** By method, path and query as sent, and the bytes of the body. */
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
      Omit<IdempotencyRecord, 'headers'> & { readonly headers: string }
    >(
      `SELECT fingerprint, status, headers, body FROM IdempotencyRecord
       WHERE utilisateur = @utilisateur AND key = @key AND date > @since`,
      { utilisateur, key, since: Date.now() - KEPT_FOR_MS },
    );
    return row && { ...row, headers: parseKept<IdempotencyRecord['headers']>(row.headers) };
  }

  /** The kept answer of a request. Throws `CLE_REUTILISEE` where the key was another request's. */
  find(owner: KeyOwner, requestFingerprint: string): IdempotencyRecord | undefined {
    const kept = this.under(owner);
    if (kept !== undefined && kept.fingerprint !== requestFingerprint)
      throw new Refusal('CLE_REUTILISEE');
    return kept;
  }

  /** Keeps an answer, and deletes those that are too old, too many, or too large in all, the oldest first. */
  keep(tx: Transaction, owner: KeyOwner, { headers, ...answer }: IdempotencyRecord): void {
    const date = Date.now();
    tx.run(
      `INSERT OR REPLACE INTO IdempotencyRecord (utilisateur, key, fingerprint, date, status, headers, body)
       VALUES (@utilisateur, @key, @fingerprint, @date, @status, @headers, @body)`,
      { ...owner, ...answer, date, headers: JSON.stringify(headers) },
    );
    // By ids, without counting: where large answers have left holes, fewer are kept.
    tx.run(
      `DELETE FROM IdempotencyRecord
       WHERE date <= ? OR id <= (SELECT max(id) FROM IdempotencyRecord) - ?`,
      date - KEPT_FOR_MS,
      MAX_KEPT,
    );
    if (answer.body.length > LARGE_BYTES)
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
