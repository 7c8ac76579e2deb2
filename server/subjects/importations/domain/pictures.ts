import type { Couverture } from '#shared/couvertures';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { CoverLibrary } from '#server/subjects/couvertures/domain/library';
import { DotPicture, UnreadablePicture } from '#server/subjects/couvertures/domain/picture';
import { readPicture, writeChosen } from '#server/subjects/couvertures/store/pictures';
import { writeKeptOf } from '#server/subjects/couvertures/store/queue';
import type { Asker } from '#server/plumbing/upstream/queue';
import type { TakePicture } from './opened-file.ts';

/** What is counted for a picture that may have been decoded to its end before it turned out to be none. */
const UNREADABLE_PIXELS = 10_000_000;

/** Takes in the pictures of an export in its person's turn; one that cannot be read is left. */
export const pictureTaker =
  (library: CoverLibrary, asker?: Asker): TakePicture =>
  async (content) => {
    try {
      const { largeur, hauteur } = await library.takeIn(content, asker);
      return largeur * hauteur;
    } catch (error) {
      if (error instanceof UnreadablePicture || error instanceof DotPicture)
        return UNREADABLE_PIXELS;
      throw error;
    }
  };

/** Gives a record of an import the picture that it had, where it came along. */
export function giveCover(
  database: Transaction,
  table: string,
  id: number,
  couverture: Couverture | null = null,
): void {
  if (couverture === null || readPicture(database, couverture.cle) === undefined) return;
  const { cle, source } = couverture;
  if (source === 'personne') writeChosen(database, table, id, cle);
  else writeKeptOf(database, table, id, cle);
}
