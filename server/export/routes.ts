import { pipeline, type Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { exporterTout } from '#shared/export';
import type { Database } from '#server/database/database';
import type { Covers } from '#server/couvertures/domain/covers';
import type { Snapshot } from '#server/database/snapshot';
import { attach } from '#server/http/attachment';
import { mount } from '#server/http/mount';
import { unlessUnread } from '#server/http/unread';
import type { FileEndpoint } from '#server/records/kind';
import type { Records } from '#server/records/records';
import { formatArchive, textStream } from './domain/archive.ts';

type Format = (snapshot: Snapshot, utilisateur: string | null) => Readable;

export function exportRoutes(
  app: FastifyInstance,
  { covers, records }: { covers: Covers; records: Records<Database> },
): void {
  const mountFile = (endpoint: FileEndpoint, name: string, format: Format): void =>
    mount(app, endpoint, ({ utilisateur, reply }) => {
      attach(reply, endpoint.type, name);
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

/**
 * The stream of a format; the snapshot is closed when it ends, is broken off or is read by nobody: the log grows
 * while it is open.
 */
function formatFrom(snapshot: Snapshot, utilisateur: string | null, format: Format): Readable {
  try {
    return pipeline(format(snapshot, utilisateur), unlessUnread(), () => snapshot.close());
  } catch (error) {
    snapshot.close();
    throw error;
  }
}
