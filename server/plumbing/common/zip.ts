import { crc32 } from 'node:zlib';
import { fromBufferPromise, openPromise, type Entry, type ZipFile } from 'yauzl';
import { MAX_COVER_BYTES } from '#shared/couvertures';
import { EXPORT_COVERS } from '#shared/export';
import { raison, type Raison } from './raisons.ts';

const LOCAL_HEADER_BYTES = 30;
/** Texts compress, pictures do not: beyond `maxBytes` a zip may unpack to so many times its size. */
const MAX_GROWTH = 2;
/** The manifest of an export or a backup, which is read into memory. */
const HEAD = /^\w+\.json$/;
const HEAD_BYTES = 100_000;
const HEAD_BYTES_OF_FILE = 500;

interface Options {
  readonly maxFiles: number;
  /** How many bytes the files may unpack to, besides twice the size of the zip. */
  readonly maxBytes: number;
  readonly refuse: (why: Raison) => Error;
}

export interface Zip {
  readonly names: readonly string[];
  readonly size: number;
  /** The size of all files, unpacked. */
  readonly unpackedSize: number;
  /** The bytes of a file while they are unpacked. Throws the error of `refuse` where they are damaged. */
  readonly read: (name: string) => AsyncGenerator<Buffer>;
  readonly close: () => void;
}

/**
 * Opens a zip in memory or at a path. Throws the error of `refuse` if the zip is damaged or encrypted, has a name
 * twice, a path outside of it or entries that share bytes, unpacks to too much, or has a picture or manifest too
 * large for memory.
 */
export async function openZip(file: Buffer | string, options: Options): Promise<Zip> {
  const { maxFiles, maxBytes, refuse } = options;
  const refuseDamaged = (): never => {
    throw refuse(raison('archiveAbimee'));
  };
  const zip = await openAny(file).catch(refuseDamaged);
  try {
    if (zip.entryCount > maxFiles) throw refuse(raison('archiveTropDeFichiers'));
    const listed = await listEntries(zip).catch(refuseDamaged);
    const why = objection(listed, zip.fileSize, maxBytes);
    if (why !== null) throw refuse(why);
    const entries = new Map(listed.map((entry) => [entry.fileName, entry]));
    return {
      names: [...entries.keys()],
      size: zip.fileSize,
      unpackedSize: unpackedSizeOf(listed),
      read: (name) => readEntry(zip, entries.get(name), refuseDamaged),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

const openAny = (file: Buffer | string): Promise<ZipFile> =>
  typeof file === 'string'
    ? openPromise(file, { lazyEntries: true, autoClose: false })
    : fromBufferPromise(file, { lazyEntries: true });

/** yauzl itself refuses absolute names and `..`. */
async function listEntries(zip: ZipFile): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return entries;
}

const unpackedSizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);

function objection(entries: readonly Entry[], size: number, maxBytes: number): Raison | null {
  if (new Set(entries.map(({ fileName }) => fileName)).size < entries.length)
    return raison('archiveModifiee');
  if (entries.some((entry) => entry.isEncrypted())) return raison('archiveProtegee');
  const isLarge = ({ fileName, uncompressedSize }: Entry): boolean =>
    uncompressedSize > largest(fileName, entries.length);
  if (unpackedSizeOf(entries) > maxBytes + MAX_GROWTH * size || entries.some(isLarge))
    return raison('archiveTropGrande');
  return overlaps(entries, size) ? raison('archiveAbimee') : null;
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

/** yauzl ends an entry that grows longer than announced, but does not check its CRC. */
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
