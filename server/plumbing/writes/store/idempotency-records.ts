import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { parseKept } from '#server/plumbing/database/kept-json';

/** The answer to a write with a key. */
export interface IdempotencyRecord {
  /** Of the request that was answered: another one must not have the same key. */
  readonly fingerprint: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or empty. */
  readonly body: string;
}

/** Whose key it is, `''` for an unknown caller. */
export interface KeyOwner {
  readonly utilisateur: string;
  readonly key: string;
}

/** The answer kept under a key, unless it is older than `since`, in milliseconds since 1970. */
export function findAnswer(
  database: Reader,
  { utilisateur, key }: KeyOwner,
  since: number,
): IdempotencyRecord | undefined {
  const row = database.get<Omit<IdempotencyRecord, 'headers'> & { readonly headers: string }>(
    `SELECT fingerprint, status, headers, body FROM IdempotencyRecord
       WHERE utilisateur = @utilisateur AND key = @key AND date > @since`,
    { utilisateur, key, since },
  );
  return row && { ...row, headers: parseKept<IdempotencyRecord['headers']>(row.headers) };
}

/** Keeps an answer in the place of an expired one. */
export function insertAnswer(
  database: Transaction,
  { utilisateur, key }: KeyOwner,
  { fingerprint, status, headers, body }: IdempotencyRecord,
  date: number,
): void {
  database.run(
    `INSERT OR REPLACE INTO IdempotencyRecord (utilisateur, key, fingerprint, date, status, headers, body)
       VALUES (@utilisateur, @key, @fingerprint, @date, @status, @headers, @body)`,
    { utilisateur, key, fingerprint, date, status, headers: JSON.stringify(headers), body },
  );
}

/** Deletes large answers, of more than `bytes` each, but for the newest that are no more than `most` bytes in all. */
export function deleteLargeAnswers(database: Transaction, bytes: number, most: number): void {
  database.run(
    `DELETE FROM IdempotencyRecord WHERE id IN (
       SELECT id FROM (
         SELECT id, sum(octet_length(body)) OVER (ORDER BY id DESC) AS total
           FROM IdempotencyRecord WHERE octet_length(body) > ?)
         WHERE total > ?)`,
    bytes,
    most,
  );
}

/** Deletes what is older than `since`, in milliseconds since 1970, and all but the newest `most`. */
export function deleteOldAnswers(database: Transaction, since: number, most: number): void {
  // Ids have no holes, so that the newest ones are found without counting.
  database.run(
    `DELETE FROM IdempotencyRecord
       WHERE date <= ? OR id <= (SELECT max(id) FROM IdempotencyRecord) - ?`,
    since,
    most,
  );
}
