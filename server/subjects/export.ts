import { m } from '#messages';
import { createReadStream } from 'node:fs';
import { PassThrough, pipeline, Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { ZipFile } from 'yazl';
import {
  EXPORT_COVERS,
  EXPORT_HEAD,
  EXPORT_VERSION,
  exporterTout,
  exportKindNames,
  exportKinds,
  type ExportHead,
} from '#shared/export';
import type { Locale } from '#shared/locale';
import { Refusal } from '#shared/refusals';
import type { Config } from '#server/config';
import { inPieces } from '#server/plumbing/common/slices';
import type { Database } from '#server/plumbing/database/database';
import type { Snapshot } from '#server/plumbing/database/connection';
import { inLocale } from '#server/plumbing/http/language';
import { mount, attach } from '#server/plumbing/http/mount';
import { read, type Exchange, type Read } from '#server/plumbing/writes/operations';
import { queueOwnerOf, abortSlowClient } from '#server/plumbing/http/request';
import { countRecords, readRecords, type Records } from '#server/plumbing/records/records';
import type { ExportedFile, FileEndpoint } from '#server/plumbing/records/kind';
import { FairQueue } from '#server/plumbing/upstream/queue';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import { COVER } from '#server/subjects/couvertures/cover-store';

type ExportParts = Pick<Records, 'exportedFiles' | 'exportedTexts'>;

function readCovers(snapshot: Snapshot, utilisateur: string | null): Set<string> {
  const rows = snapshot.all<{ cle: string }>(
    `SELECT couverture ->> 'cle' AS cle FROM (
       SELECT ${COVER} AS couverture FROM Couvert d WHERE d.utilisateur IN ('', @utilisateur))
     WHERE couverture IS NOT NULL`,
    { utilisateur },
  );
  return new Set(rows.map(({ cle }) => cle));
}

const householdOf = (snapshot: Snapshot): string =>
  snapshot.all<{ bibliotheque: string }>('SELECT bibliotheque FROM Installation', {})[0]
    ?.bibliotheque ?? '';

function explain(
  { date, utilisateur, counts }: ExportHead,
  { exportedFiles, exportedTexts }: ExportParts,
): string {
  const code = (text: string) => `<code>${text}</code>`;
  const rows = Object.entries(counts).map(
    ([kind, count]) =>
      `<tr><td>${code(`json/${kind}.json`)}</td><td>${count}</td><td>${exportedFiles.get(kind)?.label?.() ?? ''}</td></tr>`,
  );
  const items = exportedTexts.map(
    ({ name, label }) => `<li>${m.export_page_item({ name: code(name), label: label() })}</li>`,
  );
  const made = m.export_page_made({
    day: `<time datetime="${date}">${date.slice(0, 10)}</time>`,
  });
  const whose =
    utilisateur === null
      ? m.export_page_shared()
      : m.export_page_personal({ reader: escapeHtml(utilisateur) });
  return `<!doctype html>
<html lang="${m.locale()}"><head><meta charset="utf-8"><title>${m.export_page_title()}</title>
<style>body{font:1rem/1.5 sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}td{padding:.2rem .8rem .2rem 0;vertical-align:top}</style></head>
<body><h1>${m.export_page_title()}</h1>
<p>${made} ${whose}</p>
<h2>${m.export_page_tables()}</h2>
<ul>
${items.join('\n')}
</ul>
<h2>${m.export_page_whole()}</h2>
<p>${m.export_page_schemas({ example: code('json/livres.schema.json') })}</p>
<table>${rows.join('\n')}</table>
<p>${m.export_page_back({ folder: code(EXPORT_COVERS) })}</p>
</body></html>
`;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Streams the export while reading, so that memory does not grow with the household (docs/rules.md § 41).
 *
 * @param utilisateur the reader whose personal records are included; `null` for shared ones only
 * @param findCover finds a stored picture by its key
 * @param locale the household's language, for the headers of tables; the explaining page is in the reader's
 */
export function formatArchive(
  snapshot: Snapshot,
  exported: ExportParts,
  utilisateur: string | null,
  now: Date,
  findCover: (cle: string) => { readonly type: string; readonly path: string } | null,
  locale: Locale,
): Readable {
  const { exportedFiles: files, exportedTexts: texts } = exported;
  const zip = new ZipFile();
  const output = new PassThrough();
  const fail = (error: Error) => output.destroy(error);
  let reading: Readable | null = null;
  // yazl does not handle errors of its input streams.
  const read = (stream: Readable): Readable => (reading = stream.once('error', fail));
  const orFail = (work: () => void) => {
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
  const head: ExportHead = {
    application: 'rayonnage',
    kind: 'export',
    version: EXPORT_VERSION,
    date: now.toISOString(),
    utilisateur,
    bibliotheque: householdOf(snapshot),
    counts: Object.fromEntries(
      lists.map(({ kind, file }) => [kind, countRecords(snapshot, file, utilisateur)]),
    ),
  };
  // First, so that a reader knows the archive by its beginning.
  zip.addBuffer(Buffer.from(JSON.stringify(head, null, 2)), EXPORT_HEAD, { compress: false });
  add(m.export_page_file(), explain(head, exported));
  for (const { kind, file } of lists) {
    addLazily(`json/${kind}.json`, () => formatJson(snapshot, file, utilisateur));
    add(`json/${kind}.schema.json`, JSON.stringify(exportKinds[kind], null, 2));
  }
  for (const { name, format } of texts)
    addLazily(name, () => format(snapshot, utilisateur, locale));
  const covers = readCovers(snapshot, utilisateur).values();
  // Added one at a time: yazl keeps a record in memory for each announced file.
  const addNextCover = (): void => {
    for (const cle of covers) {
      const cover = findCover(cle);
      if (cover === null) continue;
      const name = `${EXPORT_COVERS}${cle}.${cover.type.replace('image/', '')}`;
      zip.addReadStreamLazy(name, { compress: false }, (ready) => {
        ready(null, read(createReadStream(cover.path, { highWaterMark: 16 * 1024 })));
        orFail(addNextCover);
      });
      return;
    }
    zip.end();
  };
  zip.on('error', fail);
  orFail(addNextCover);
  zip.outputStream.pipe(output);
  return output.once('close', () => reading?.destroy());
}

/** Ends early where the snapshot is closed: the client has hung up. */
const textStream = (snapshot: Snapshot, text: Iterable<string>): Readable =>
  Readable.from(inPieces(whileOpen(snapshot, text)), {
    objectMode: false,
    highWaterMark: 64 * 1024,
  });

function* whileOpen(snapshot: Snapshot, text: Iterable<string>): Generator<string> {
  const pieces = text[Symbol.iterator]();
  while (snapshot.isOpen) {
    const next = pieces.next();
    if (next.done === true) return;
    yield next.value;
  }
}

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

/** Concurrent exports of the service and of a person, and how many more of a person may wait. */
const LIMITS = { total: 2, perOwner: 1, waiting: 3 };
const MAX_WAIT_MS = 20_000;

/**
 * Opens an export in its turn. Throws `EXPORTS_EN_COURS` if that takes too long, or too many wait.
 *
 * @param open receives the function that ends the turn
 */
async function inTurn(
  queue: FairQueue,
  call: Exchange,
  open: (end: () => void) => Readable,
): Promise<Readable> {
  const asker = queueOwnerOf(call);
  const signal = AbortSignal.any([asker.signal, AbortSignal.timeout(MAX_WAIT_MS)]);
  const opened = Promise.withResolvers<Readable>();
  const work = () =>
    new Promise<void>((end) => {
      try {
        opened.resolve(open(end));
      } catch (error) {
        opened.reject(error);
        end();
      }
    });
  queue.run({ ...asker, signal }, work).catch((error: unknown) => {
    opened.reject(Object.assign(new Refusal('EXPORTS_EN_COURS'), { cause: String(error) }));
  });
  return opened.promise;
}

interface ExportContext {
  readonly config: Pick<Config, 'locale'>;
  readonly covers: Covers;
  readonly records: Records<Database>;
}

export function routes(app: FastifyInstance, { config, covers, records }: ExportContext): void {
  const queue = new FairQueue(LIMITS);
  /** Slots that slow readers are giving up for those who wait. */
  let leaving = 0;
  const fileRoute = (
    endpoint: FileEndpoint,
    name: string,
    format: (snapshot: Snapshot, utilisateur: string | null) => Readable,
  ): Read =>
    read(endpoint, {
      may: 'household',
      run: async (call) => {
        const { utilisateur, request, reply } = call;
        const stream = await inTurn(queue, call, (end) => {
          const snapshot = records.database.openSnapshot();
          let isLeaving = false;
          const mustLeave = () => {
            if (queue.waiting <= leaving) return false;
            leaving++;
            return (isLeaving = true);
          };
          const close = () => {
            if (isLeaving) leaving--;
            snapshot.close();
            end();
          };
          try {
            // Closed when the stream ends, breaks or is not read: the log grows while a snapshot is
            // open. The turn may come within another request's event.
            const file = inLocale(request.locale, () => format(snapshot, utilisateur));
            return pipeline(file, abortSlowClient(mustLeave), close);
          } catch (error) {
            close();
            throw error;
          }
        });
        // Headers of a download are set only after a possible refusal.
        return attach(reply, endpoint.type, name).send(stream);
      },
    });
  mount(app, [
    fileRoute(exporterTout, 'rayonnage.zip', (snapshot, utilisateur) =>
      formatArchive(
        snapshot,
        records,
        utilisateur,
        new Date(),
        (cle) => covers.store.find(cle),
        config.locale,
      ),
    ),
    ...records.exportedTexts.map(({ endpoint, name, format }) =>
      fileRoute(endpoint, name, (snapshot, utilisateur) =>
        textStream(snapshot, format(snapshot, utilisateur, config.locale)),
      ),
    ),
  ]);
}
