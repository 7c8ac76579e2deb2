import { createReadStream } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import {
  EXPORT_COVERS,
  EXPORT_HEAD,
  EXPORT_VERSION,
  exportKindNames,
  exportKinds,
  type ExportHead,
  type ExportKind,
} from '#shared/export';
import type { Snapshot } from '#server/plumbing/database/snapshot';
import { countRecords, readRecords } from '#server/plumbing/records/export';
import type { ExportedFile } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import { readCovers } from '../store.ts';
import { explain } from './explanation.ts';

/** A kept picture by its key, with its type (`image/…`) and its file; `null` where there is none. */
type FindCover = (cle: string) => { readonly type: string; readonly path: string } | null;

const coverName = (cle: string, type: string): string =>
  `${EXPORT_COVERS}${cle}.${type.replace('image/', '')}`;

/**
 * A household's export as the bytes of a zip, written as they are read: memory does not grow with the
 * household (docs/rules.md § 41).
 *
 * @param utilisateur whose own records are exported too; `null` for the shared ones alone
 */
export function formatArchive(
  snapshot: Snapshot,
  exported: Pick<Records, 'exportedFiles' | 'exportedTexts'>,
  utilisateur: string | null,
  now: Date,
  findCover: FindCover,
): Readable {
  const { exportedFiles: files, exportedTexts: texts } = exported;
  const zip = new ZipFile();
  const output = new PassThrough();
  const fail = (error: Error) => output.destroy(error);
  let reading: Readable | null = null;
  // yazl does not listen to errors of the streams that it is given.
  const read = (stream: Readable): Readable => (reading = stream.once('error', fail));
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const add = (name: string, text: string) => zip.addBuffer(Buffer.from(text), name);
  const addLazily = (name: string, text: () => Iterable<string>) =>
    zip.addReadStreamLazy(name, { compress: true }, (ready) =>
      ready(null, read(textStream(snapshot, text()))),
    );
  const lists = exportKindNames.flatMap((kind) => {
    const file = files.get(kind);
    return file === undefined ? [] : [{ kind, file }];
  });
  const head = headOf(snapshot, lists, utilisateur, now);
  // First, so that a reader knows the archive by its beginning.
  zip.addBuffer(Buffer.from(JSON.stringify(head, null, 2)), EXPORT_HEAD, { compress: false });
  // cspell:disable-next-line -- the name of a page in French
  add('LISEZ-MOI.html', explain(head, exported));
  for (const { kind, file } of lists) {
    addLazily(`json/${kind}.json`, () => formatJson(snapshot, file, utilisateur));
    add(`json/${kind}.schema.json`, JSON.stringify(exportKinds[kind], null, 2));
  }
  for (const { name, format } of texts) addLazily(name, () => format(snapshot, utilisateur));
  const covers = readCovers(snapshot, utilisateur).values();
  // Added one at a time: yazl keeps a record in memory for each file that it is told of.
  const addNextCover = (): void => {
    for (const cle of covers) {
      const cover = findCover(cle);
      if (cover === null) continue;
      zip.addReadStreamLazy(coverName(cle, cover.type), { compress: false }, (ready) => {
        ready(null, read(createReadStream(cover.path, { highWaterMark: 16 * 1024 })));
        attempt(addNextCover);
      });
      return;
    }
    zip.end();
  };
  zip.on('error', fail);
  attempt(addNextCover);
  zip.outputStream.pipe(output);
  return output.once('close', () => reading?.destroy());
}

/**
 * A text as a stream of bytes, a page at a time. It ends early where the snapshot is closed: the client
 * has broken off.
 */
export const textStream = (snapshot: Snapshot, text: Iterable<string>): Readable =>
  Readable.from(whileOpen(snapshot, text), { objectMode: false, highWaterMark: 64 * 1024 });

function* whileOpen(snapshot: Snapshot, text: Iterable<string>): Generator<string> {
  const pieces = text[Symbol.iterator]();
  while (snapshot.isOpen) {
    const next = pieces.next();
    if (next.done === true) return;
    yield next.value;
  }
}

function headOf(
  snapshot: Snapshot,
  lists: readonly { readonly kind: ExportKind; readonly file: ExportedFile }[],
  utilisateur: string | null,
  now: Date,
): ExportHead {
  return {
    application: 'rayonnage',
    kind: 'export',
    version: EXPORT_VERSION,
    date: now.toISOString(),
    utilisateur,
    counts: Object.fromEntries(
      lists.map(({ kind, file }) => [kind, countRecords(snapshot, file, utilisateur)]),
    ),
  };
}

/** One list, a record a line. */
function* formatJson(
  snapshot: Snapshot,
  file: ExportedFile,
  utilisateur: string | null,
): Generator<string> {
  let separator = '[\n';
  for (const records of readRecords(snapshot, file, utilisateur)) {
    if (records.length === 0) continue;
    yield separator + records.map((record) => JSON.stringify(record)).join(',\n');
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}
