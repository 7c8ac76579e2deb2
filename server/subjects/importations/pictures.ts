import { createHash } from 'node:crypto';
import { MAX_COVER_BYTES } from '#shared/couvertures';
import { EXPORT_COVERS } from '#shared/export';
import { openZip, type Zip } from '#server/plumbing/common/zip';
import { readStart } from '#server/plumbing/database/files';
import type { QueueOwner } from '#server/plumbing/upstream/queue';
import { DotPicture, UnreadablePicture } from '#server/subjects/couvertures/image';
import type { CoverStore } from '#server/subjects/couvertures/cover-store';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import { BOUNDS, toBuffer } from './formats/archive.ts';

// The covers in a zip: of a household's own export, and of programs that store them beside their
// list.

const ZIP = 'PK\x03\x04';

export const isZipFile = (path: string): boolean =>
  readStart(path, ZIP.length).toString('latin1') === ZIP;

const OWN = new RegExp(`^${EXPORT_COVERS}([0-9a-f]{64})(?:\\.\\w+)?$`);

/** The names of covers in a zip of Tellico or Alexandria. */
export const coversIn = (names: readonly string[]): string[] => {
  const hasImages = names.some((name) => /(?:^|\/)tellico\.xml$/i.test(name));
  return names.filter(
    (name) =>
      !/^__MACOSX\/|\/\._/.test(name) &&
      ((hasImages && /(?:^|\/)images\/[^/]+$/i.test(name)) || /\/[^/]+\.cover$/i.test(name)),
  );
};

export const keyOfPicture = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex');

/** `null` if it is longer than a cover may be. */
export async function readCover(zip: Zip, name: string): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of zip.read(name)) {
    length += chunk.length;
    if (length > MAX_COVER_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A single-colour picture has thousands of pixels a byte, a cover less than ten: this bounds the decoding time. */
const PIXELS_A_BYTE = 20;
const MIN_PIXELS = 100_000_000;

/** Counted for an unreadable picture, which may have been decoded to its end. */
const UNREADABLE_PIXELS = 10_000_000;

/** Stores a picture; returns the number of decoded pixels, `null` if it is unreadable. */
export type TakePicture = (content: Buffer) => Promise<number | null>;

/**
 * Decodes in the person's turn; unreadable pictures are skipped.
 *
 * @param taken receives the keys of the stored pictures
 */
export const pictureTaker =
  (store: CoverStore, caller?: QueueOwner, taken: string[] = []): TakePicture =>
  async (content) => {
    try {
      const { cle, largeur, hauteur } = await store.add(content, caller);
      taken.push(cle);
      return largeur * hauteur;
    } catch (error) {
      if (error instanceof UnreadablePicture || error instanceof DotPicture) return null;
      throw error;
    }
  };

/**
 * Stores the intact pictures; in a household's own export the name is a digest of the bytes. Returns messages about
 * the others; none for a file that is no zip. Throws `FICHIER_INVALIDE`.
 *
 * @param most how many are stored at most, however small
 */
export async function takePictures(
  file: Uint8Array | string,
  take: TakePicture,
  signal?: AbortSignal,
  most = Infinity,
): Promise<Raison[]> {
  const zipped = typeof file === 'string' ? file : toBuffer(file);
  if (typeof zipped !== 'string' && zipped.subarray(0, ZIP.length).toString('latin1') !== ZIP)
    return [];
  const endWithRequest = () => {
    if (signal?.aborted === true) throw invalid(raison('envoiAbandonne'));
  };
  endWithRequest();
  const zip = await openZip(zipped, BOUNDS);
  let pixels = MIN_PIXELS + PIXELS_A_BYTE * zip.size;
  let [takenCount, damagedCount, leftCount] = [0, 0, 0];
  try {
    const own = zip.names.filter((name) => OWN.test(name));
    for (const name of own.length > 0 ? own : coversIn(zip.names)) {
      endWithRequest();
      if (pixels <= 0 || takenCount >= most) {
        leftCount++;
        continue;
      }
      const [, cle] = OWN.exec(name) ?? [];
      const content = await readCover(zip, name);
      if (content === null || (cle !== undefined && keyOfPicture(content) !== cle)) {
        damagedCount++;
        continue;
      }
      const decoded = await take(content);
      pixels -= decoded ?? UNREADABLE_PIXELS;
      if (decoded === null) damagedCount++;
      takenCount++;
    }
  } finally {
    zip.close();
  }
  const warningOf = (code: 'couverturesAbimees' | 'couverturesDeTrop', nombre: number) =>
    nombre > 0 ? [raison(code, { nombre })] : [];
  return [
    ...warningOf('couverturesAbimees', damagedCount),
    ...warningOf('couverturesDeTrop', leftCount),
  ];
}
