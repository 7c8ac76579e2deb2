import { createHash } from 'node:crypto';
import { Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import {
  deleteLargeAnswers,
  deleteOldAnswers,
  findAnswer,
  insertAnswer,
  type IdempotencyRecord,
  type KeyOwner,
} from './store/idempotency-records.ts';

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_KEPT = 10_000;
/** Answers of many records: each backup has them, too. */
const LARGE_BYTES = 16 * 1024;
const MAX_LARGE_BYTES = 8 * 1024 * 1024;

export type { IdempotencyRecord, KeyOwner };

/** Tells one request from another: by its method, its path and query as sent, and its body's bytes. */
export const fingerprint = (method: string, url: string, body: Buffer | null): string =>
  createHash('sha256')
    .update(`${method} ${url}\n`)
    .update(body ?? '')
    .digest('base64');

/**
 * The answers to writes with a key, kept for a day in the database. An answer is written in
 * the transaction of the write that it tells of, so that a power cut leaves both or neither.
 */
export class IdempotencyRecords {
  readonly #database: Reader;
  readonly #underWay = new Set<string>();

  constructor(database: Reader) {
    this.#database = database;
  }

  /**
   * Reserves a key until the returned function is called. Throws `DEMANDE_EN_COURS` while another
   * request holds it.
   */
  reserve({ utilisateur, key }: KeyOwner): () => void {
    const name = JSON.stringify([utilisateur, key]);
    if (this.#underWay.has(name)) throw new Refusal('DEMANDE_EN_COURS');
    this.#underWay.add(name);
    return () => void this.#underWay.delete(name);
  }

  /** Whether an answer is kept under a key, whichever request's it was. */
  has(owner: KeyOwner): boolean {
    return findAnswer(this.#database, owner, Date.now() - KEPT_FOR_MS) !== undefined;
  }

  /** The answer kept for a request, if any. Throws `CLE_REUTILISEE` where the key was another request's. */
  find(owner: KeyOwner, requestFingerprint: string): IdempotencyRecord | undefined {
    const kept = findAnswer(this.#database, owner, Date.now() - KEPT_FOR_MS);
    if (kept !== undefined && kept.fingerprint !== requestFingerprint)
      throw new Refusal('CLE_REUTILISEE');
    return kept;
  }

  /** Keeps an answer with what the write has done. */
  keep(tx: Transaction, owner: KeyOwner, answer: IdempotencyRecord): void {
    const now = Date.now();
    insertAnswer(tx, owner, answer, now);
    deleteOldAnswers(tx, now - KEPT_FOR_MS, MAX_KEPT);
    if (answer.body.length > LARGE_BYTES) deleteLargeAnswers(tx, LARGE_BYTES, MAX_LARGE_BYTES);
  }
}
