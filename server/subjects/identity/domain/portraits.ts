import { found } from '#shared/refusals';
import { portraitFrom } from '#server/subjects/couvertures/decoder';
import type { Reader } from '#server/plumbing/database/reader';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Asker } from '#server/plumbing/upstream/queue';
import { membreById, type MembreRow } from '../store/membres.ts';
import { deletePortrait, portraitByCle, setPortrait } from '../store/portraits.ts';
import { drawToken } from './tokens.ts';

/** The small picture of a face, made in the process that decodes. Throws `IMAGE_INVALIDE`, `IMAGES_EN_ATTENTE`. */
export const prepareFace = (bytes: Buffer | null, asker: Asker): Promise<Buffer> =>
  portraitFrom(bytes ?? Buffer.alloc(0), asker);

/** Gives a member a face, or takes it away. */
export function changeFace(
  database: Transaction,
  membreId: number,
  image: Buffer | null,
): MembreRow {
  if (image === null) deletePortrait(database, membreId);
  else setPortrait(database, { membreId, cle: drawToken('link'), image });
  return found(membreById(database, membreId));
}

/** Throws `INTROUVABLE`. */
export const faceOf = (database: Reader, cle: string): Buffer =>
  found(portraitByCle(database, cle));
