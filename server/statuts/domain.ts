import { Refusal } from '#shared/refusals';
import type { StatutOrNull } from '#shared/statuts';
import type { Transaction } from '#server/database/transaction';
import { livreExists } from '#server/livres/store/livres';
import { deleteStatut, writeStatut } from './store.ts';

/** Sets one reader's status of a book; `null` deletes it: not started. Throws `INTROUVABLE`. */
export function modifierStatut(
  database: Transaction,
  utilisateur: string,
  livreId: number,
  statut: StatutOrNull,
): void {
  if (!livreExists(database, livreId)) throw new Refusal('INTROUVABLE');
  if (statut === null) deleteStatut(database, utilisateur, livreId);
  else writeStatut(database, utilisateur, livreId, statut);
}
