import type { StatutOrNull } from '#shared/statuts';
import type { Transaction } from '#server/plumbing/database/transaction';
import { requireLivre } from '#server/subjects/livres/domain/presence';
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
