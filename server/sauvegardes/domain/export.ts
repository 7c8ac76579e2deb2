import type { Restauration } from '#shared/sauvegardes';
import type { Covers } from '#server/couvertures/domain/covers';
import type { Database } from '#server/database/database';
import { lireExport } from '#server/importations/domain/dry-run';
import { executer } from '#server/importations/domain/importations';
import { pictureTaker } from '#server/importations/domain/pictures';

/**
 * Reads an uploaded export of a household as a dry run. The returned function makes it real, and is to be
 * called in a transaction. Throws `FICHIER_INVALIDE`.
 */
export async function importUpload(
  { covers, database }: { covers: Covers; database: Database },
  path: string,
  utilisateur: string | null,
): Promise<() => Restauration> {
  const takePicture = pictureTaker(covers.library);
  const options = { utilisateur, nom: null, aLire: 'statut', colonnes: null, takePicture } as const;
  const id = await lireExport(database, path, options);
  return () => {
    const { nouveaux, date } = executer(database, id, utilisateur);
    return { nature: 'export', date, livres: nouveaux };
  };
}
