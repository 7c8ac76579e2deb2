import type { Statut } from '#shared/statuts';
import type { Base } from '#server/database/base';

export function ecrireStatut(
  base: Base,
  utilisateur: string,
  livreId: number,
  statut: Statut,
): void {
  base
    .prepare<[number, string, Statut]>(
      `INSERT INTO Statut (livreId, utilisateur, statut) VALUES (?, ?, ?)
       ON CONFLICT (livreId, utilisateur) DO UPDATE SET statut = excluded.statut`,
    )
    .run(livreId, utilisateur, statut);
}

export function effacerStatut(base: Base, utilisateur: string, livreId: number): void {
  base
    .prepare<[number, string]>('DELETE FROM Statut WHERE livreId = ? AND utilisateur = ?')
    .run(livreId, utilisateur);
}
