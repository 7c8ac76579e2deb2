import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { TSchema } from 'typebox';
import type { Endpoint } from '#shared/endpoint';
import * as exports from '#shared/export';
import type { Covers } from '#server/couvertures/domain/covers';
import type { Snapshot } from '#server/database/snapshot';
import { mount } from '#server/http/mount';
import type { Records } from '#server/records/records';
import { formatArchive, textStream } from './domain/archive.ts';
import { formatTable, goodreadsTable, livresTable } from './domain/csv.ts';
import { formatBibtex, formatRis } from './domain/references.ts';

/** An endpoint that answers with a file in place of JSON. */
type FileEndpoint = Endpoint & { readonly response: TSchema; readonly type: string };
type Format = (snapshot: Snapshot, utilisateur: string | null) => Readable;

export function exportRoutes(
  app: FastifyInstance,
  { covers, records }: { covers: Covers; records: Records },
): void {
  const { database, exportedFiles } = records;
  const mountFile = (endpoint: FileEndpoint, name: string, format: Format): void =>
    mount(app, endpoint, ({ utilisateur, reply }) => {
      attach(reply, endpoint, name);
      return formatFrom(database.openSnapshot(), utilisateur, format);
    });
  mountFile(exports.exporterTout, 'rayonnage.zip', (snapshot, utilisateur) =>
    formatArchive(snapshot, exportedFiles, utilisateur, new Date(), (cle) =>
      covers.library.find(cle),
    ),
  );
  mountFile(exports.exporterLivresCsv, 'livres.csv', (snapshot, utilisateur) =>
    textStream(snapshot, formatTable(livresTable, snapshot, utilisateur)),
  );
  mountFile(exports.exporterGoodreads, 'goodreads.csv', (snapshot, utilisateur) =>
    textStream(snapshot, formatTable(goodreadsTable, snapshot, utilisateur)),
  );
  mountFile(exports.exporterBibtex, 'livres.bib', (snapshot, utilisateur) =>
    textStream(snapshot, formatBibtex(snapshot, utilisateur)),
  );
  mountFile(exports.exporterRis, 'livres.ris', (snapshot, utilisateur) =>
    textStream(snapshot, formatRis(snapshot, utilisateur)),
  );
}

/** The stream of a format; the snapshot is closed when it ends or is broken off. */
function formatFrom(snapshot: Snapshot, utilisateur: string | null, format: Format): Readable {
  try {
    return format(snapshot, utilisateur).once('close', () => snapshot.close());
  } catch (error) {
    snapshot.close();
    throw error;
  }
}

/** A file for the browser to save, of which no cache keeps anything: parts of it are one person's. */
const attach = (reply: FastifyReply, { type }: FileEndpoint, fileName: string): void =>
  void reply
    .type(type === 'application/zip' ? type : `${type}; charset=utf-8`)
    .header('Cache-Control', 'private, no-store')
    .header('Content-Disposition', `attachment; filename="${fileName}"`);
