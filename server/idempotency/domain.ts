import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { keyHeaderOf } from '#shared/endpoint';
import { champRefusal, Refusal } from '#shared/refusals';
import type { Database } from '#server/database/database';
import {
  deleteOldAnswers,
  findAnswer,
  insertAnswer,
  type KeptAnswer,
  type KeyOwner,
} from './store.ts';

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_KEPT = 10_000;

/** The visible characters of ASCII. */
const KEY = /^[\x21-\x7e]{1,200}$/;

export type { KeptAnswer, KeyOwner };

/**
 * The owner and the text of a write's key, `null` without the header. Throws `REQUETE_INVALIDE` for one
 * that is empty, too long or holds a blank (docs/rules.md § 29).
 */
export function readKey(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  utilisateur: string | null,
): KeyOwner | null {
  const name = keyHeaderOf(method ?? '');
  const header = headers[name.toLowerCase()];
  if (header === undefined) return null;
  const key = [header].flat().join(' ');
  if (!KEY.test(key)) throw champRefusal(name, 'compte de 1 à 200 caractères visibles');
  return { utilisateur: utilisateur ?? '', key };
}

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
export class KeptAnswers {
  readonly #database: Database;
  readonly #underWay = new Set<string>();

  constructor(database: Database) {
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

  /** The answer kept for a request, if any. Throws `CLE_REUTILISEE` where the key was another request's. */
  find(owner: KeyOwner, requestFingerprint: string): KeptAnswer | undefined {
    const kept = findAnswer(this.#database, owner, Date.now() - KEPT_FOR_MS);
    if (kept !== undefined && kept.fingerprint !== requestFingerprint)
      throw new Refusal('CLE_REUTILISEE');
    return kept;
  }

  /** Keeps an answer; joins the transaction of the write. */
  keep(owner: KeyOwner, answer: KeptAnswer): void {
    const now = Date.now();
    this.#database.write(() => {
      insertAnswer(this.#database, owner, answer, now);
      deleteOldAnswers(this.#database, now - KEPT_FOR_MS, MAX_KEPT);
    });
  }
}
