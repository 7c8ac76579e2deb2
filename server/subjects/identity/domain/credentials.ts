import type { Database } from '#server/plumbing/database/database';
import type { Reader } from '#server/plumbing/database/reader';
import type { Identity } from '#server/plumbing/http/identity';
import { cleByJeton, touchCle, type CleRow } from '../store/cles.ts';
import { membreByIdentifiant } from '../store/membres.ts';
import { activeSession, touchSession, type SessionRow } from '../store/sessions.ts';
import { hashOf } from './tokens.ts';

/** How long an unused session lasts. */
export const SESSION_MS = 90 * 24 * 60 * 60_000;

/** The last use is noted once an hour, so that reading hardly ever writes. */
const NOTED_EVERY_MS = 60 * 60_000;

/** What gives a request its identity: the session that reads on a device, or a key. `jeton` is the hash of its secret. */
export type Credential = { readonly jeton: Buffer } & (
  | { readonly kind: 'session'; readonly row: SessionRow }
  | { readonly kind: 'cle'; readonly row: CleRow }
);

/** How keys begin: a sign-on may send a `Bearer` of its own along. */
export const KEY_PREFIX = 'ray_';

/** Sessions last used before this have ended. */
export const usedAfter = (): number => Date.now() - SESSION_MS;

/** The credential of a session's token; `undefined` where it has ended, or its member is shut out. */
export function credentialOfSession(database: Reader, token: string): Credential | undefined {
  const jeton = hashOf(token);
  const row = activeSession(database, jeton, usedAfter());
  return row && { kind: 'session', jeton, row };
}

/** The credential of a key; with accounts its owner has to be a member who is not shut out. */
export function credentialOfKey(
  database: Reader,
  token: string,
  hasAccounts: boolean,
): Credential | undefined {
  const jeton = hashOf(token);
  const row = cleByJeton(database, jeton);
  if (row === undefined) return undefined;
  const isOwned = !hasAccounts || membreByIdentifiant(database, row.utilisateur)?.exclu === 0;
  return isOwned ? { kind: 'cle', jeton, row } : undefined;
}

/** Whether a credential still is what it was when it was read. */
export function holds(database: Reader, { kind, jeton, row }: Credential): boolean {
  if (kind === 'cle') return cleByJeton(database, jeton)?.id === row.id;
  return activeSession(database, jeton, usedAfter())?.id === row.id;
}

/** Whom a credential names (docs/rules.md § 1). */
export const identityOf = ({ kind, row }: Credential): Identity =>
  kind === 'cle'
    ? { utilisateur: row.utilisateur, email: null, nomComplet: null }
    : memberIdentity(row);

/** Who a member is. */
export const memberIdentity = (member: {
  readonly identifiant: string;
  readonly nom: string;
  readonly portrait: string | null;
}): Identity => ({
  utilisateur: member.identifiant,
  email: null,
  nomComplet: member.nom,
  compte: true,
  ...(member.portrait !== null && { portrait: member.portrait }),
});

/**
 * Notes that a credential is used, once an hour, and returns whether it did. A database that takes no writes at
 * the moment is no reason to refuse a read.
 */
export function noteUse(database: Database, { kind, row }: Credential): boolean {
  const now = Date.now();
  if (row.vue !== null && now - row.vue < NOTED_EVERY_MS) return false;
  if (database.isReadOnly || database.writeLock.isHeld || !database.takesWrites) return false;
  const touch = kind === 'cle' ? touchCle : touchSession;
  database.write((tx) => touch(tx, row.id, now));
  return true;
}
