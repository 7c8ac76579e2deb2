import type { StatutOrNull } from '#shared/statuts';
import type { Transaction } from '#server/database/transaction';
import { requireLivre } from '#server/livres/domain/presence';
import { deleteStatut, writeStatut } from './store.ts';

/** Sets one reader's status of a book; `null` deletes it: not started. Throws `INTROUVABLE`. */
export function modifierStatut(
  database: Transaction,
  utilisateur: string,
  livreId: number,
  statut: StatutOrNull,
): void {
  requireLivre(database, livreId);
  if (statut === null) deleteStatut(database, utilisateur, livreId);
  else writeStatut(database, utilisateur, livreId, statut);
}
