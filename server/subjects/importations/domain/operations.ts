import { annulerImportation as annulerEndpoint, executerImportation } from '#shared/importations';
import type { Records } from '#server/plumbing/records/records';
import { longOperation } from '#server/plumbing/writes/operation';
import { countOutcomes } from '../store/lignes.ts';
import { executer } from './importations.ts';
import { annulerImportation } from './undo.ts';

/** Makes a dry run real, or an import again that was taken back (docs/rules.md § 36). */
export const execution = longOperation({
  endpoint: executerImportation,
  told: 'Un import',
  size: countRows,
  run: (records, { params, body, utilisateur }) =>
    executer(records, params.id, utilisateur, {
      decisions: body.decisions ?? [],
      seriesIgnorees: body.seriesIgnorees ?? [],
      nomsInverses: body.nomsInverses ?? [],
      ordreNoms: body.ordreNoms,
    }),
});

/** Takes back what an import has made (docs/rules.md § 37). */
export const annulation = longOperation({
  endpoint: annulerEndpoint,
  told: 'L’annulation d’un import',
  size: countRows,
  run: (records, { params, utilisateur }) => annulerImportation(records, params.id, utilisateur),
});

/** How many rows an import or a dry run has. */
export function countRows({ database }: Records, { params }: { params: { id: number } }): number {
  const counts = Object.values(countOutcomes(database, params.id));
  return counts.reduce((sum, count) => sum + count, 0);
}
