import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { exporterTout } from '#shared/export';
import type { Database } from '#server/plumbing/database/database';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import type { Snapshot } from '#server/plumbing/database/snapshot';
import { attach } from '#server/plumbing/http/attachment';
import { mount } from '#server/plumbing/http/mount';
import type { FileEndpoint } from '#server/plumbing/records/kind';
import type { Records } from '#server/plumbing/records/records';
import { formatArchive, textStream } from './domain/archive.ts';
import { formatFrom } from './domain/stream.ts';

export function exportRoutes(
  app: FastifyInstance,
  { covers, records }: { covers: Covers; records: Records<Database> },
): void {
  const mountFile = (
    endpoint: FileEndpoint,
    name: string,
    format: (snapshot: Snapshot, utilisateur: string | null) => Readable,
  ): void =>
    mount(app, endpoint, ({ utilisateur, reply }) => {
      attach(reply, endpoint.type, name);
      return formatFrom(records.database.openSnapshot(), (snapshot) =>
        format(snapshot, utilisateur),
      );
    });
  mountFile(exporterTout, 'rayonnage.zip', (snapshot, utilisateur) =>
    formatArchive(snapshot, records, utilisateur, new Date(), (cle) => covers.library.find(cle)),
  );
  for (const { endpoint, name, format } of records.exportedTexts)
    mountFile(endpoint, name, (snapshot, utilisateur) =>
      textStream(snapshot, format(snapshot, utilisateur)),
    );
}
