import { StatutDocument, type Statut, type StatutOrNull } from '#shared/statuts';
import { documentSource } from '#server/plumbing/database/columns';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** A status has no id of its own: on a reader's device it has that of its book. */
export const statutSource = documentSource('Statut', StatutDocument, { id: 'd.livreId' });

export function writeStatut(
  database: Transaction,
  utilisateur: string,
  livreId: number,
  statut: Statut,
): void {
  database.run(
    `INSERT INTO Statut (livreId, utilisateur, statut) VALUES (@livreId, @utilisateur, @statut)
       ON CONFLICT (livreId, utilisateur) DO UPDATE SET statut = excluded.statut
       WHERE statut <> excluded.statut`,
    { livreId, utilisateur, statut },
  );
}

export function deleteStatut(database: Transaction, utilisateur: string, livreId: number): void {
  database.run('DELETE FROM Statut WHERE livreId = ? AND utilisateur = ?', livreId, utilisateur);
}

/** A reader's status of a book; `null` where there is none. */
export function readStatut(database: Reader, utilisateur: string, livreId: number): StatutOrNull {
  const sql = 'SELECT statut FROM Statut WHERE livreId = ? AND utilisateur = ?';
  return database.value<Statut>(sql, livreId, utilisateur) ?? null;
}
