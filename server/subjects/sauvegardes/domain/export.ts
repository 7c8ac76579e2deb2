import { IdParams } from '#shared/fields';
import { restaurer } from '#shared/sauvegardes';
import type { Covers } from '#server/subjects/couvertures/domain/covers';
import { lireExport } from '#server/subjects/importations/domain/dry-run';
import { executer } from '#server/subjects/importations/domain/importations';
import { countRows } from '#server/subjects/importations/domain/operations';
import { pictureTaker } from '#server/subjects/importations/domain/pictures';
import type { Database } from '#server/plumbing/database/database';
import type { Records } from '#server/plumbing/records/records';
import type { Asker } from '#server/plumbing/upstream/queue';
import { longOperation } from '#server/plumbing/writes/operation';
import type { Write } from '#server/plumbing/writes/perform';

/** Makes the dry run of an uploaded export real. */
export const restauration = longOperation({
  endpoint: { ...restaurer, params: IdParams },
  told: 'La restauration d’un export',
  size: countRows,
  run(records, { params, utilisateur }) {
    const { answer, act } = executer(records, params.id, utilisateur);
    const { nouveaux, date } = answer;
    return { answer: { nature: 'export' as const, date, livres: nouveaux }, act };
  },
});

/** Who sends an export, and until when they wait. */
interface Sender extends Asker {
  readonly utilisateur: string | null;
}

/**
 * Reads an uploaded export of a household as a dry run, and gives what makes it real. Throws `FICHIER_INVALIDE`, also
 * once nobody waits for it any more.
 */
export async function importUpload(
  { covers, records }: { covers: Covers; records: Records<Database> },
  path: string,
  { utilisateur, ...asker }: Sender,
): Promise<NonNullable<Write['long']>> {
  const id = await lireExport(records.database, path, {
    utilisateur,
    nom: null,
    aLire: 'statut',
    colonnes: null,
    takePicture: pictureTaker(covers.library, asker),
    signal: asker.signal,
  });
  const call = { params: { id }, query: undefined, body: undefined, utilisateur };
  return { operation: restauration, call };
}
