import * as operations from '#shared/statuts';
import type { StatutOuRien } from '#shared/statuts';
import { ecrire } from './ecriture.ts';

/** Changes the reader's own status of a book; `null` goes back to « not started ». */
export const changerStatut = (
  livreId: number,
  statut: StatutOuRien,
): Promise<{ livreId: number; statut: StatutOuRien }> =>
  ecrire(operations.changerStatut, { params: { id: livreId }, body: { statut } });
