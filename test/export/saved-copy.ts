import { archiveOfCopy } from '../../src/lib/sync/copy-archive.ts';
import { Records } from '../../src/lib/sync/records.ts';
import type { House } from '../support/house.ts';
import { pullAll } from '../support/replication.ts';

/** An import's remark about an archive that was saved by a device. */
export const OF_A_COPY =
  'cette archive vient de la copie d’un appareil : n’y sont pas les souhaits, les statuts et les lectures des autres, qui reviennent de leurs appareils, ni les images d’origine, les noms d’auteurs corrigés, les fusions refusées et l’historique';

/** The archive that a reader's device saves of its replica. */
export async function saveCopy(
  house: House,
  utilisateur = 'ana',
  readThumbnail: (cle: string) => Promise<ArrayBuffer | null> = () => Promise.resolve(null),
): Promise<Buffer> {
  const records = new Records();
  records.take((await pullAll(house, utilisateur)).changements);
  const { tables, livres, statuts } = records;
  const blob = await archiveOfCopy(
    { ...tables, livres, statuts },
    {
      utilisateur,
      bibliotheque: house.context.database.householdId,
      page: { name: 'page.html', html: '<p>' },
      readThumbnail,
      pause: () => Promise.resolve(),
      onProgress: () => undefined,
    },
  );
  return Buffer.from(await blob.arrayBuffer());
}
