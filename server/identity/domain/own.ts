import type { Transaction } from '#server/database/transaction';
import { setCode, setMotDePasse } from '../store/membres.ts';
import { deleteSessionsOf } from '../store/sessions.ts';

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
