import { Refusal } from '#shared/refusals';
import type { StatutOrNull } from '#shared/statuts';
import type { Database } from '#server/database/database';
import { noterStatut } from '#server/lectures/domain';
import { livreExists } from '#server/livres/store/livres';
import { deleteStatut, writeStatut } from './store.ts';

/**
 * Sets one reader's status of a book, and notes what it says of a reading; `null` deletes it: not started. Throws
 * `INTROUVABLE`, `REQUETE_INVALIDE` for a day before the reading began.
 *
 * @param jour the reader's day, `2026-03-01`
 */
export function modifierStatut(
  database: Database,
  { utilisateur, livreId }: { readonly utilisateur: string; readonly livreId: number },
  statut: StatutOrNull,
  jour: string,
): void {
  database.write(() => {
    if (!livreExists(database, livreId)) throw new Refusal('INTROUVABLE');
    if (statut === null) deleteStatut(database, utilisateur, livreId);
    else writeStatut(database, utilisateur, livreId, statut);
    noterStatut(database, { utilisateur, livreId }, statut, jour);
  });
}
