import type { Couverture } from '#shared/couvertures';
import type { CoverLibrary } from '#server/couvertures/domain/library';
import { DotPicture, UnreadablePicture } from '#server/couvertures/domain/picture';
import { readPicture, writeChosen } from '#server/couvertures/store/pictures';
import { writeKeptOf } from '#server/couvertures/store/queue';
import type { Database } from '#server/database/database';

/** Takes in the pictures of an export; one that cannot be read is left. */
export const pictureTaker =
  (library: CoverLibrary) =>
  async (content: Buffer): Promise<void> => {
    try {
      await library.takeIn(content);
    } catch (error) {
      if (!(error instanceof UnreadablePicture) && !(error instanceof DotPicture)) throw error;
    }
  };

/** Gives a record of an import the picture that it had, where it came along; in a transaction. */
export function giveCover(
  database: Database,
  table: string,
  id: number,
  couverture: Couverture | null = null,
): void {
  if (couverture === null || readPicture(database, couverture.cle) === undefined) return;
  const { cle, source } = couverture;
  if (source === 'personne') writeChosen(database, table, id, cle);
  else writeKeptOf(database, table, id, cle);
}
