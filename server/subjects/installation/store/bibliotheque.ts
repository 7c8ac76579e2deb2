import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

/** The name that a person gave the library; `null` where nobody did. */
export const readNom = (database: Reader): string | null =>
  database.value<string>('SELECT nom FROM Bibliotheque') ?? null;

export function writeNom(database: Transaction, nom: string): void {
  database.run(
    'INSERT INTO Bibliotheque (id, nom) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET nom = excluded.nom',
    nom,
  );
}

export function deleteNom(database: Transaction): void {
  database.run('DELETE FROM Bibliotheque');
}
