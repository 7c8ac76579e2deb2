import { choose } from '#server/subjects/couvertures/couvertures';
import type { Context } from '#server/start/context';
import type { ModificationRules } from '#shared/endpoint';
import { beginModification } from '#server/subjects/modifications/changesets';

/**
 * Gives an issue an uploaded picture, which only earlier versions allowed. Returns the picture's key and the id of
 * the modification.
 */
export async function sendBefore(
  { covers, database, records }: Context,
  id: number,
  image: Buffer,
) {
  const picture = await covers.store.add(image);
  const modification: ModificationRules = {
    operation: 'choisirCouverture',
    message: () => ({ fait: 'couvertureChangee', nom: 'La revue, n° 1' }),
  };
  const act = database.write((tx) => {
    const saveModification = beginModification(records.within(tx), {
      endpoint: { modification },
      actor: null,
    });
    return saveModification(choose(tx, covers, { table: 'Numero', id, read: () => ({}) }, picture));
  });
  if (act === undefined) throw new Error('Nothing was changed');
  return { cle: picture.cle, act: act.id };
}
