import type { Couverture } from '#shared/couvertures';
import type { CoverLibrary } from '#server/couvertures/domain/library';
import { DotPicture, UnreadablePicture } from '#server/couvertures/domain/picture';
import { readPicture, writeChosen } from '#server/couvertures/store/pictures';
import { writeKept } from '#server/couvertures/store/queue';
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

/** What an export knows of the cover of a record. */
interface CoverOf {
  readonly coverUrl: string | null;
  readonly isbn?: string | null;
  readonly couverture?: Couverture | null;
}

/** Gives a record of an import the picture that it had, where it came along; in a transaction. */
export function giveCover(
  database: Database,
  table: 'Livre' | 'Numero' | 'Souhait',
  id: number,
  { coverUrl, isbn = null, couverture = null }: CoverOf,
): void {
  if (couverture === null || readPicture(database, couverture.cle) === undefined) return;
  if (couverture.source === 'personne') writeChosen(database, table, id, couverture.cle);
  else {
    const adresse = coverUrl ?? (isbn === null ? null : `isbn:${isbn}`);
    if (adresse !== null) writeKept(database, adresse, couverture.cle, Date.now());
  }
}
