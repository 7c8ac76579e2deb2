import { Refusal } from '#shared/refusals';
import type { StatutOuRien } from '#shared/statuts';
import type { Base } from '#server/database/base';
import { formatDuLivre } from '#server/livres/store';
import { ecrireStatut, effacerStatut } from './store.ts';

/** Sets one person's status of a book; `null` takes the record away, back to « not started ». */
export function changer(
  base: Base,
  utilisateur: string,
  livreId: number,
  statut: StatutOuRien,
): void {
  base.write(() => {
    if (formatDuLivre(base, livreId) === undefined) throw new Refusal('INTROUVABLE');
    if (statut === null) effacerStatut(base, utilisateur, livreId);
    else ecrireStatut(base, utilisateur, livreId, statut);
  });
}
