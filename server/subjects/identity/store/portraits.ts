import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';

export const portraitByCle = (database: Reader, cle: string): Buffer | undefined =>
  database.value<Buffer>('SELECT image FROM Portrait WHERE cle = ?', cle);

/** Sets a member's picture, in place of the one before. */
export function setPortrait(
  database: Transaction,
  portrait: { readonly membreId: number; readonly cle: string; readonly image: Buffer },
): void {
  database.run(
    'INSERT OR REPLACE INTO Portrait (membreId, cle, image) VALUES (:membreId, :cle, :image)',
    portrait,
  );
}

export function deletePortrait(database: Transaction, membreId: number): void {
  database.run('DELETE FROM Portrait WHERE membreId = ?', membreId);
}
