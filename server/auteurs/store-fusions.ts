import type { Base } from '#server/database/base';
import { paire, type Paire } from './refus.ts';

/** Every refused merge. */
export function fusionsRefusees(base: Base): Paire[] {
  return base
    .prepare<[], { premierId: number; secondId: number }>(
      'SELECT premierId, secondId FROM FusionRefusee',
    )
    .all()
    .map(({ premierId, secondId }) => [premierId, secondId]);
}

/** Remembers a refused merge; one that is known already stays as it is. */
export function refuserFusion(base: Base, [premier, second]: Paire): void {
  base
    .prepare<[number, number]>(
      'INSERT INTO FusionRefusee (premierId, secondId) VALUES (?, ?) ON CONFLICT DO NOTHING',
    )
    .run(premier, second);
}

/**
 * Puts one author in the place of another and takes that one away. On a book that has both, the
 * one place that stays is the earlier; refusals go along, but for the one between the two.
 */
export function fondreAuteur(base: Base, absorbe: number, reste: number): void {
  base
    .prepare<[{ absorbe: number; reste: number }]>(
      `DELETE FROM LivreAuteur
       WHERE auteurId IN (@absorbe, @reste) AND EXISTS (
         SELECT 1 FROM LivreAuteur autre
         WHERE autre.livreId = LivreAuteur.livreId
           AND autre.auteurId IN (@absorbe, @reste)
           AND autre.position < LivreAuteur.position)`,
    )
    .run({ absorbe, reste });
  base
    .prepare<[number, number]>('UPDATE LivreAuteur SET auteurId = ? WHERE auteurId = ?')
    .run(reste, absorbe);
  deplacerRefus(base, absorbe, reste);
  base.prepare<[number]>('DELETE FROM Auteur WHERE id = ?').run(absorbe);
}

function deplacerRefus(base: Base, absorbe: number, reste: number): void {
  const siens = fusionsRefusees(base).filter((deux) => deux.includes(absorbe));
  base
    .prepare<[number, number]>('DELETE FROM FusionRefusee WHERE premierId = ? OR secondId = ?')
    .run(absorbe, absorbe);
  for (const [premier, second] of siens) {
    const autre = premier === absorbe ? second : premier;
    if (autre !== reste) refuserFusion(base, paire(autre, reste));
  }
}
