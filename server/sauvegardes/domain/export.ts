import type { Restauration } from '#shared/sauvegardes';
import type { Covers } from '#server/couvertures/domain/covers';
import { lireExport } from '#server/importations/domain/dry-run';
import { executer } from '#server/importations/domain/importations';
import { pictureTaker } from '#server/importations/domain/pictures';
import type { Records } from '#server/records/records';

/**
 * Reads an uploaded export of a household as a dry run. The returned function makes it real, and is to be
 * called in a transaction. Throws `FICHIER_INVALIDE`.
 */
export async function importUpload(
  { covers, records }: { covers: Covers; records: Records },
  path: string,
  utilisateur: string | null,
): Promise<() => Restauration> {
  const takePicture = pictureTaker(covers.library);
  const options = { utilisateur, nom: null, aLire: 'statut', colonnes: null, takePicture } as const;
  const id = await lireExport(records.database, path, options);
  return () => {
    const { nouveaux, date } = executer(records, id, utilisateur);
    return { nature: 'export', date, livres: nouveaux };
  };
}
