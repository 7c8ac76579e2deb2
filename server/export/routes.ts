import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { exporterTout } from '#shared/export';
import type { Covers } from '#server/couvertures/domain/covers';
import type { Snapshot } from '#server/database/snapshot';
import { mount } from '#server/http/mount';
import type { FileEndpoint } from '#server/records/kind';
import type { Records } from '#server/records/records';
import { formatArchive, textStream } from './domain/archive.ts';

type Format = (snapshot: Snapshot, utilisateur: string | null) => Readable;

export function exportRoutes(
  app: FastifyInstance,
  { covers, records }: { covers: Covers; records: Records },
): void {
  const mountFile = (endpoint: FileEndpoint, name: string, format: Format): void =>
    mount(app, endpoint, ({ utilisateur, reply }) => {
      attach(reply, endpoint, name);
      return formatFrom(records.database.openSnapshot(), utilisateur, format);
    });
  mountFile(exporterTout, 'rayonnage.zip', (snapshot, utilisateur) =>
    formatArchive(snapshot, records, utilisateur, new Date(), (cle) => covers.library.find(cle)),
  );
  for (const { endpoint, name, format } of records.exportedTexts)
    mountFile(endpoint, name, (snapshot, utilisateur) =>
      textStream(snapshot, format(snapshot, utilisateur)),
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
