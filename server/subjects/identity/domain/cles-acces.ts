import type { CleAcces, Signature } from '#shared/cles-acces';
import { found, Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Site } from '#server/plumbing/http/origin';
import {
  cleAccesByCredentialId,
  cleAccesById,
  clesAccesOf,
  deleteCleAcces,
  insertCleAcces,
  renameCleAcces,
  touchCleAcces,
  type CleAccesRow,
} from '../store/cles-acces.ts';
import { membreById, type MembreRow } from '../store/membres.ts';
import type { Attempts } from './attempts.ts';
import { readSigned, type NewCleAcces } from './ceremonies.ts';
import type { Challenges } from './challenges.ts';
import { hashOf } from './tokens.ts';

const shown = ({ id, nom, hote, debut, vue }: CleAccesRow): CleAcces => ({
  ...{ id, nom, hote },
  debut: new Date(debut).toISOString(),
  vue: vue === null ? null : new Date(vue).toISOString(),
});

/** A member's passkeys as they are kept. */
export const passkeysOf = (database: Reader, membreId: number): CleAccesRow[] =>
  clesAccesOf(database, membreId);

/** A member's passkeys, and whether they have a password besides. */
export const listClesAcces = (
  database: Reader,
  membreId: number,
): { avecMotDePasse: boolean; cles: CleAcces[] } => ({
  avecMotDePasse: found(membreById(database, membreId)).motDePasse !== null,
  cles: clesAccesOf(database, membreId).map(shown),
});

/** Gives a member a passkey that was made. Throws `CLE_ACCES_EXISTANTE` where somebody has it already. */
export function addCleAcces(
  database: Transaction,
  membreId: number,
  { made, nom }: { readonly made: NewCleAcces; readonly nom: string },
): CleAcces {
  if (cleAccesByCredentialId(database, made.credentialId) !== undefined)
    throw new Refusal('CLE_ACCES_EXISTANTE');
  const id = insertCleAcces(database, { ...made, membreId, nom, debut: Date.now() });
  return shown(ownCleAcces(database, id, membreId));
}

/** Throws `INTROUVABLE` for another member's, too. */
export function renameOwn(
  database: Transaction,
  id: number,
  { membreId, nom }: { readonly membreId: number; readonly nom: string },
): CleAcces {
  ownCleAcces(database, id, membreId);
  renameCleAcces(database, id, nom);
  return shown(ownCleAcces(database, id, membreId));
}

/** Removes a passkey. Throws `INTROUVABLE` for another member's, too, and `DERNIERE_CLE_ACCES`. */
export function removeOwn(database: Transaction, id: number, membreId: number): void {
  ownCleAcces(database, id, membreId);
  const isOnlyWay =
    membreById(database, membreId)?.motDePasse === null &&
    clesAccesOf(database, membreId).length === 1;
  if (isOnlyWay) throw new Refusal('DERNIERE_CLE_ACCES');
  deleteCleAcces(database, id);
}

function ownCleAcces(database: Reader, id: number, membreId: number): CleAccesRow {
  const row = cleAccesById(database, id);
  return found(row?.membreId === membreId ? row : undefined);
}

/** A passkey that has signed, as it was when it did, and its count since. */
interface Signed {
  readonly row: CleAccesRow;
  readonly signCount: number;
}

/**
 * The passkey that has signed for a sign-in. Throws `CLE_ACCES_REFUSEE`, whatever is wrong, and `TROP_DE_TENTATIVES`
 * (docs/rules.md § 53).
 */
export async function requireSigned(
  database: Reader,
  { attempts, challenges }: { readonly attempts: Attempts; readonly challenges: Challenges },
  { site, signature }: { readonly site: Site; readonly signature: Signature },
  address: string,
): Promise<Signed> {
  const row = cleAccesByCredentialId(database, signature.id);
  const read: { signCount: number | null } = { signCount: null };
  // By its hash: anybody may send a long one, and many of them.
  const account = `cle ${hashOf(signature.id).toString('base64url')}`;
  await attempts.try(address, account, async () => {
    read.signCount = await readSigned(challenges, site, row, signature);
    return read.signCount !== null;
  });
  const { signCount } = read;
  if (row === undefined || signCount === null) throw new Refusal('CLE_ACCES_REFUSEE');
  return { row, signCount };
}

/**
 * The member of a passkey that has signed; its use is noted. Throws `CLE_ACCES_REFUSEE` where it was removed since, has
 * signed again, or its member is shut out.
 */
export function memberOfSigned(database: Transaction, { row, signCount }: Signed): MembreRow {
  const now = cleAccesById(database, row.id);
  const membre = membreById(database, row.membreId);
  if (now?.signCount !== row.signCount || membre?.exclu !== 0)
    throw new Refusal('CLE_ACCES_REFUSEE');
  touchCleAcces(database, { id: row.id, signCount, now: Date.now() });
  return membre;
}
