import { found, Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import { membreById, setCode, setMotDePasse } from '../store/membres.ts';
import { deleteSessionsOf, type SessionRow } from '../store/sessions.ts';
import type { Attempts } from './attempts.ts';
import { requireMembre } from './sessions.ts';

/** How long a sign-in proves who sits at the device, of who has no password. */
const RECENT_MS = 10 * 60_000;

/**
 * Has whoever sits at a device prove that it is the member, before they are given another way to sign in: by the
 * password, or where there is none by a sign-in of this moment. A tablet is shared, and sessions are long. Throws
 * `IDENTIFIANTS_REFUSES`, `TROP_DE_TENTATIVES`, `CONNEXION_ANCIENNE`.
 */
export async function requireProof(
  database: Reader,
  attempts: Attempts,
  { membreId, identifiant, debut }: SessionRow,
  given: { readonly motDePasse: string | null | undefined; readonly address: string },
): Promise<void> {
  if (found(membreById(database, membreId)).motDePasse !== null) {
    const { motDePasse, address } = given;
    const named = { identifiant, motDePasse: motDePasse ?? '' };
    await requireMembre(database, attempts, named, address);
  } else if (Date.now() - debut > RECENT_MS) throw new Refusal('CONNEXION_ANCIENNE');
}

/**
 * Gives a member another password, and ends the sessions that were opened by the one before.
 *
 * @param motDePasse its hash
 * @param exceptId the session that asks
 */
export function changePassword(
  database: Transaction,
  {
    membreId,
    motDePasse,
    exceptId,
  }: { readonly membreId: number; readonly motDePasse: string; readonly exceptId: number },
): void {
  setMotDePasse(database, membreId, motDePasse);
  deleteSessionsOf(database, membreId, exceptId);
}

/** Sets the hash of the code that a shared device asks for, or none. */
export const changeCode = (database: Transaction, membreId: number, code: string | null): void =>
  setCode(database, membreId, code);
