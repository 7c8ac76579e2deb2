import { Zip, ZipDeflate, ZipPassThrough, strToU8, type ZipInputFile } from 'fflate';
import { copyFiles, type CopyRecords } from '#shared/export-copy';
import { EXPORT_COVERS, EXPORT_HEAD, EXPORT_VERSION, type ExportHead } from '#shared/export';
import type { Couverture } from '#shared/couvertures';

interface Options {
  readonly utilisateur: string | null;
  /** The household of the replica; empty if it is older than household ids. */
  readonly bibliotheque: string;
  /** The HTML page that explains the archive. */
  readonly page: { readonly name: string; readonly html: string };
  /** The small picture of a cover, `null` where the device has none. */
  readonly readThumbnail: (cle: string) => Promise<ArrayBuffer | null>;
  readonly onProgress: (share: number) => void;
  /** Gives the turn back to the browser. */
  readonly pause: () => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Records between two turns of the browser: a few milliseconds on a phone. */
const AT_A_TIME = 100;

/** Passed to the browser in parts, which are stored outside the page's memory. */
const PART_BYTES = 1024 * 1024;

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Creates the household's export from the replica (docs/rules.md § 41): the shared records, the reader's own, and the
 * thumbnails of chosen covers, since a device has no larger ones. Covers with an address are fetched from there
 * again.
 *
 * @throws the error of `readThumbnail`, and the reason of `signal`
 */
export async function archiveOfCopy(copy: CopyRecords, options: Options): Promise<Blob> {
  const { utilisateur, bibliotheque, page, readThumbnail, onProgress, pause, signal } = options;
  const parts = new Parts();
  const thumbnails = await chosenThumbnails(copy, readThumbnail);
  const files = copyFiles(copy, ({ cle, ...couverture }) => {
    const own = thumbnails.get(cle);
    return own === undefined ? null : { ...couverture, cle: own.cle };
  });
  const head: ExportHead = {
    application: 'rayonnage',
    kind: 'export',
    version: EXPORT_VERSION,
    date: new Date().toISOString(),
    utilisateur,
    ...(bibliotheque !== '' && { bibliotheque }),
    deCopie: true,
    counts: Object.fromEntries(files.map(({ kind, count }) => [kind, count])),
  };
  // First, so that a reader knows the archive by its beginning.
  parts.add(new ZipPassThrough(EXPORT_HEAD), JSON.stringify(head, null, 2));
  parts.add(new ZipDeflate(page.name), page.html);
  const total = Math.max(
    1,
    files.reduce((sum, { count }) => sum + count, 0),
  );
  let done = 0;
  for (const { kind, records } of files) {
    const file = parts.open(new ZipDeflate(`json/${kind}.json`));
    let lines: string[] = [];
    let separator = '[\n';
    const flush = () => {
      if (lines.length === 0) return;
      file.push(strToU8(separator + lines.join(',\n')));
      separator = ',\n';
      lines = [];
    };
    for (const record of records()) {
      if (lines.push(JSON.stringify(record)) < AT_A_TIME) continue;
      done += lines.length;
      flush();
      onProgress(done / total);
      await pause();
      signal?.throwIfAborted();
    }
    done += lines.length;
    flush();
    file.push(strToU8(separator === '[\n' ? '[]\n' : '\n]\n'), true);
  }
  // Two covers may share a thumbnail.
  const pictures = new Map([...thumbnails.values()].map(({ cle, bytes }) => [cle, bytes]));
  for (const [cle, bytes] of pictures)
    parts.add(new ZipPassThrough(`${EXPORT_COVERS}${cle}.webp`), new Uint8Array(bytes));
  onProgress(1);
  return parts.end();
}

interface Thumbnail {
  /** The hash of these bytes, for verifying them. */
  readonly cle: string;
  readonly bytes: ArrayBuffer;
}

/** By the key of the chosen cover. */
async function chosenThumbnails(
  { livres, numeros, souhaits }: CopyRecords,
  read: Options['readThumbnail'],
): Promise<ReadonlyMap<string, Thumbnail>> {
  const chosen = [...livres, ...numeros.values(), ...souhaits.values()]
    .map(({ couverture }) => couverture)
    .filter((couverture): couverture is Couverture => couverture?.source === 'personne');
  const found = new Map<string, Thumbnail>();
  for (const cle of new Set(chosen.map((couverture) => couverture.cle))) {
    const bytes = await read(cle);
    if (bytes === null) continue;
    found.set(cle, { cle: hex(await crypto.subtle.digest('SHA-256', bytes)), bytes });
  }
  return found;
}

/** A zip that grows outside of the page's memory. */
class Parts {
  #blob: Blob[] = [];
  #pending: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  #error: Error | null = null;

  readonly #zip = new Zip((error, chunk) => {
    if (error !== null) {
      this.#error = error;
      return;
    }
    this.#pending.push(new Uint8Array(chunk));
    this.#bytes += chunk.length;
    if (this.#bytes >= PART_BYTES) this.#hand();
  });

  open<F extends ZipInputFile>(file: F): F {
    this.#zip.add(file);
    return file;
  }

  add(file: ZipDeflate | ZipPassThrough, content: string | Uint8Array): void {
    this.open(file).push(typeof content === 'string' ? strToU8(content) : content, true);
  }

  end(): Blob {
    this.#zip.end();
    this.#hand();
    if (this.#error !== null) throw this.#error;
    return new Blob(this.#blob, { type: 'application/zip' });
  }

  #hand(): void {
    this.#blob.push(new Blob(this.#pending));
    this.#pending = [];
    this.#bytes = 0;
  }
}
