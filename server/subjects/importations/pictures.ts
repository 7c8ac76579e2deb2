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

// The covers in a zip: of a household's own export, and of programs that keep theirs beside their list.

const ZIP = 'PK\x03\x04';

export const isZipFile = (path: string): boolean =>
  readStart(path, ZIP.length).toString('latin1') === ZIP;

const OWN = new RegExp(`^${EXPORT_COVERS}([0-9a-f]{64})(?:\\.\\w+)?$`);

/** The covers of another program by their names in its zip: those of Tellico, and those of Alexandria. */
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

/** `null` for one that is longer than a cover may be. */
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

/** A picture of one colour has thousands of pixels a byte, a cover less than ten: what takes long to decode is bounded. */
const PIXELS_A_BYTE = 20;
const MIN_PIXELS = 100_000_000;

/** What is counted for a picture that may have been decoded to its end before it turned out to be none. */
const UNREADABLE_PIXELS = 10_000_000;

/** Takes one in; returns how many pixels were decoded for it, `null` where it cannot be read. */
export type TakePicture = (content: Buffer) => Promise<number | null>;

/**
 * In its person's turn; a picture that cannot be read is left.
 *
 * @param taken gets the key of each picture that is written
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
 * Takes in the pictures that are whole: each has its name from its bytes in a household's own export. Returns what is to be
 * said of the others; nothing for a file that is no zip. Throws `FICHIER_INVALIDE`.
 *
 * @param most how many are taken, however small they are
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
  const said = (code: 'couverturesAbimees' | 'couverturesDeTrop', nombre: number) =>
    nombre > 0 ? [raison(code, { nombre })] : [];
  return [...said('couverturesAbimees', damagedCount), ...said('couverturesDeTrop', leftCount)];
}
