import { Refusal } from '#shared/refusals';
import type { Transaction } from '#server/plumbing/database/transaction';
import type { Asker } from '#server/plumbing/upstream/queue';
import { readPicture, writeChosen } from '../store/pictures.ts';
import type { Covers } from './covers.ts';
import { fromPerson } from './decoder.ts';
import type { Picture } from './picture.ts';

interface Covered {
  readonly table: string;
  readonly id: number;
  /** The record as its caller sees it; throws where it is not theirs, and nothing is written. */
  readonly read: () => object;
}

/**
 * Makes a person's picture ready and writes its files, before the transaction that chooses it. Throws
 * `IMAGE_INVALIDE`, `IMAGES_EN_ATTENTE`, and the system's error for a full disk; nothing half is left.
 */
export async function preparePicture(
  { library }: Covers,
  bytes: Buffer | null,
  asker: Asker,
): Promise<Picture> {
  const picture = await fromPerson(bytes ?? Buffer.alloc(0), asker);
  await library.write(picture);
  return picture;
}

/** Gives a record the picture of a person, or takes it back where there is none. */
export function choose(
  database: Transaction,
  { library }: Covers,
  { table, id, read }: Covered,
  picture: Picture | null,
): object {
  read();
  if (picture !== null) library.note(database, picture);
  writeChosen(database, table, id, picture?.cle ?? null);
  return read();
}

/** Gives a record a picture that was offered to the caller. Throws `INTROUVABLE` for any other. */
export function chooseOffered(
  database: Transaction,
  { others }: Covers,
  { table, id, read }: Covered,
  { owner, cle }: { readonly owner: string; readonly cle: string },
): object {
  read();
  const isKnown = others.isOffered(owner, cle) && readPicture(database, cle) !== undefined;
  if (!isKnown) throw new Refusal('INTROUVABLE');
  writeChosen(database, table, id, cle);
  return read();
}
