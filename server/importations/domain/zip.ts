import { Refusal } from '#shared/refusals';
import { crc32 } from 'node:zlib';
import { fromBufferPromise, openPromise, type Entry, type ZipFile } from 'yauzl';
import { MAX_COVER_BYTES } from '#shared/couvertures';
import { EXPORT_COVERS } from '#shared/export';
import { invalid } from './invalid.ts';

const MAX_ENTRIES = 100_000;
/** What stands before the bytes of an entry at least. */
const LOCAL_HEADER_BYTES = 30;
/** Texts shrink, pictures do not: beyond its bound for texts a zip unpacks to so many times its own size. */
const MAX_GROWTH = 2;

/** A zip that is open for reading. */
export interface Zip {
  readonly names: readonly string[];
  /** Its own size in bytes. */
  readonly size: number;
  /** The bytes of a file as they are unpacked. Throws `FICHIER_INVALIDE` where they are not whole. */
  readonly read: (name: string) => AsyncGenerator<Buffer>;
  readonly close: () => void;
}

/**
 * Opens a zip, in memory or at a path, within bounds: names that lead out of it, that come twice or are
 * locked, entries that share bytes, and more unpacked than `maxBytes` and twice its own size together are
 * refused as `FICHIER_INVALIDE`.
 */
export async function openZip(source: Buffer | string, maxBytes: number): Promise<Zip> {
  const zip = await openAny(source);
  try {
    const entries = await readEntries(zip);
    check(zip, [...entries.values()], maxBytes);
    return {
      names: [...entries.keys()],
      size: zip.fileSize,
      read: (name) => readEntry(zip, entries.get(name)),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw toRefusal(error);
  }
}

async function openAny(source: Buffer | string): Promise<ZipFile> {
  try {
    return await (typeof source === 'string'
      ? openPromise(source, { lazyEntries: true, autoClose: false })
      : fromBufferPromise(source, { lazyEntries: true }));
  } catch {
    throw damaged();
  }
}

/** The entries by name; the library refuses a name that is absolute or leads out by `..`. */
async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > MAX_ENTRIES) throw invalid('Cette archive a trop de fichiers.');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName))
      throw invalid('Cette archive a deux fichiers du même nom : elle a été modifiée.');
    if (entry.isEncrypted())
      throw invalid('Cette archive est protégée par un mot de passe : ôtez-le d’abord.');
    entries.set(entry.fileName, entry);
  }
  return entries;
}

function check({ fileSize }: ZipFile, entries: readonly Entry[], maxBytes: number): void {
  const bytes = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  // A picture is read whole.
  const isLarge = ({ fileName, uncompressedSize }: Entry): boolean =>
    fileName.startsWith(EXPORT_COVERS) && uncompressedSize > MAX_COVER_BYTES;
  if (bytes > maxBytes + MAX_GROWTH * fileSize || entries.some(isLarge))
    throw invalid('Cette archive est trop grande, une fois décompressée.');
  const inOrder = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  for (const [index, { relativeOffsetOfLocalHeader: start, compressedSize }] of inOrder.entries()) {
    const next = inOrder[index + 1]?.relativeOffsetOfLocalHeader ?? fileSize;
    if (start + LOCAL_HEADER_BYTES + compressedSize > next) throw damaged();
  }
}

/** The library ends an entry that becomes longer than it says; it does not look at its checksum. */
async function* readEntry(zip: ZipFile, entry: Entry | undefined): AsyncGenerator<Buffer> {
  if (entry === undefined) throw damaged();
  let checksum = 0;
  try {
    const chunks: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    for await (const chunk of chunks) {
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    throw toRefusal(error);
  }
  if (checksum !== entry.crc32) throw damaged();
}

/** Whatever the library throws means that the zip cannot be read to its end. */
const toRefusal = (error: unknown): unknown => (error instanceof Refusal ? error : damaged());

export const damaged = (): Refusal => invalid('Cette archive est coupée ou abîmée.');
