import { Refusal } from '#shared/refusals';
import type { Reader } from '#server/plumbing/database/reader';
import { readFormat } from '../store/livres.ts';

/** Whether there is a book of this id. */
export const livreExists = (database: Reader, id: number): boolean =>
  readFormat(database, id) !== undefined;

/** Throws `INTROUVABLE` where there is none. */
export function requireLivre(database: Reader, id: number): void {
  if (!livreExists(database, id)) throw new Refusal('INTROUVABLE');
}
