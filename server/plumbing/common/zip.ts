import { crc32 } from 'node:zlib';
import { fromBufferPromise, openPromise, type Entry, type ZipFile } from 'yauzl';
import { MAX_COVER_BYTES } from '#shared/couvertures';
import { EXPORT_COVERS } from '#shared/export';

const LOCAL_HEADER_BYTES = 30;
/** Texts shrink, pictures do not: beyond its bound for texts a zip unpacks to so many times its own size. */
const MAX_GROWTH = 2;
/** The head of an export or a backup, and what it may say of the whole and of each file. */
const HEAD = /^\w+\.json$/;
const HEAD_BYTES = 100_000;
const HEAD_BYTES_OF_FILE = 500;

export const DAMAGED_ZIP = 'Cette archive est coupée ou abîmée.';

interface Options {
  readonly maxFiles: number;
  /** What the files may hold together unpacked, beside twice the size of the zip. */
  readonly maxBytes: number;
  /** Makes the error for whoever handed the zip in, from one sentence. */
  readonly refuse: (raison: string) => Error;
}

export interface Zip {
  readonly names: readonly string[];
  readonly size: number;
  /** The bytes of a file as they are unpacked. Throws `refuse`'s error where they are not whole. */
  readonly read: (name: string) => AsyncGenerator<Buffer>;
  readonly close: () => void;
}

/**
 * Opens a zip, in memory or at a path, within bounds. Throws `refuse`'s error for one that is damaged or locked, has a
 * name that leads out of it or comes twice, or entries that share bytes, and for one that unpacks to more than it may,
 * or to a picture or a head that is too large to be read whole.
 */
export async function openZip(source: Buffer | string, options: Options): Promise<Zip> {
  const { maxFiles, maxBytes, refuse } = options;
  const refuseDamaged = (): never => {
    throw refuse(DAMAGED_ZIP);
  };
  const zip = await openAny(source).catch(refuseDamaged);
  try {
    if (zip.entryCount > maxFiles) throw refuse('Cette archive a trop de fichiers.');
    const listed = await listEntries(zip).catch(refuseDamaged);
    const raison = objection(listed, zip.fileSize, maxBytes);
    if (raison !== null) throw refuse(raison);
    const entries = new Map(listed.map((entry) => [entry.fileName, entry]));
    return {
      names: [...entries.keys()],
      size: zip.fileSize,
      read: (name) => readEntry(zip, entries.get(name), refuseDamaged),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

const openAny = (source: Buffer | string): Promise<ZipFile> =>
  typeof source === 'string'
    ? openPromise(source, { lazyEntries: true, autoClose: false })
    : fromBufferPromise(source, { lazyEntries: true });

/** The library refuses a name that is absolute or leads out by `..`. */
async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

function objection(entries: readonly Entry[], size: number, maxBytes: number): string | null {
  if (new Set(entries.map(({ fileName }) => fileName)).size < entries.length)
    return 'Cette archive a deux fichiers du même nom : elle a été modifiée.';
  if (entries.some((entry) => entry.isEncrypted()))
    return 'Cette archive est protégée par un mot de passe : ôtez-le d’abord.';
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  const isLarge = ({ fileName, uncompressedSize }: Entry): boolean =>
    uncompressedSize > largest(fileName, entries.length);
  if (bytes > maxBytes + MAX_GROWTH * size || entries.some(isLarge))
    return 'Cette archive est trop grande, une fois décompressée.';
  return overlaps(entries, size) ? DAMAGED_ZIP : null;
}

function largest(name: string, files: number): number {
  if (name.startsWith(EXPORT_COVERS)) return MAX_COVER_BYTES;
  return HEAD.test(name) ? HEAD_BYTES + files * HEAD_BYTES_OF_FILE : Infinity;
}

function overlaps(entries: readonly Entry[], size: number): boolean {
  const inOrder = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  return inOrder.some(({ relativeOffsetOfLocalHeader: start, compressedSize }, index) => {
    const next = inOrder[index + 1]?.relativeOffsetOfLocalHeader ?? size;
    return start + LOCAL_HEADER_BYTES + compressedSize > next;
  });
}

/** The library ends an entry that becomes longer than it says; it does not look at its checksum. */
async function* readEntry(
  zip: ZipFile,
  entry: Entry | undefined,
  refuseDamaged: () => never,
): AsyncGenerator<Buffer> {
  if (entry === undefined) return refuseDamaged();
  let checksum = 0;
  try {
    const chunks: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const chunk of chunks) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch {
    refuseDamaged();
  }
  if (checksum !== entry.crc32) refuseDamaged();
}
