import type { Database } from '#server/database/database';

/** The name that a person gave the library; `null` where nobody did. */
export const readNom = (database: Database): string | null =>
  database.value<string>('SELECT nom FROM Bibliotheque') ?? null;

export function writeNom(database: Database, nom: string): void {
  database.run(
    'INSERT INTO Bibliotheque (id, nom) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET nom = excluded.nom',
    nom,
  );
}

export function deleteNom(database: Database): void {
  database.run('DELETE FROM Bibliotheque');
}
