import type { FastifyInstance } from 'fastify';
import { Refusal } from '#shared/refusals';
import * as sauvegardes from '#shared/sauvegardes';
import type { Config } from '#server/config';
import type { Covers } from '#server/subjects/couvertures/domain/covers';
import { defaultFolder } from '#server/plumbing/database/backup/backup';
import { isBackup } from '#server/plumbing/database/backup/file';
import { backUpNightly } from '#server/plumbing/database/backup/nightly';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/transaction';
import { ownerOf } from '#server/plumbing/http/identity';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import type { Records } from '#server/plumbing/records/records';
import { importUpload } from './domain/export.ts';
import { prepareUpload, readBackups, withUpload } from './domain/sauvegardes.ts';

interface SauvegardesContext {
  readonly config: Config;
  readonly covers: Covers;
  readonly database: Database;
  readonly records: Records<Database>;
  /** Ends the service, has work done while nothing is open, and begins anew on what is there then. */
  readonly restart: (work: () => void) => void;
}

export function sauvegardesRoutes(app: FastifyInstance, context: SauvegardesContext): void {
  const { config, database } = context;
  const folder = config.backupPath ?? defaultFolder(config.databasePath);
  let failure: Date | null = null;
  let isRestoring = false;

  mount(app, sauvegardes.lireSauvegardes, () => ({
    chaqueNuit: config.backupPath !== null,
    ...readBackups(folder),
    echec: failure?.toISOString() ?? null,
  }));

  mountPrepared(app, sauvegardes.restaurer, async ({ request, reply, utilisateur }) => {
    if (!database.takesWrites) throw new Refusal('RESTAURATION_EN_COURS');
    if (!database.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
    if (isRestoring) throw new Refusal('IMPORTATION_EN_COURS');
    isRestoring = true;
    try {
      return await withUpload(request.bodyStream, config.databasePath, async (path) => {
        const sender = { utilisateur, owner: ownerOf(request), signal: request.signal };
        if (!isBackup(path)) return { write: await importUpload(context, path, sender) };
        const prepared = await prepareUpload(path, config);
        const write = (tx: Transaction) => {
          // Something may have been added while the file was on its way.
          if (!database.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
          // What is written from here on would be acknowledged, and go with the file that is replaced.
          tx.endWrites();
          // Once the answer has left: the connection that carries it ends with the service.
          reply.raw.once('close', () => {
            if (database.takesWrites) prepared.discard();
            else context.restart(() => void prepared.put());
          });
          const { date, livres } = prepared.manifest;
          return { nature: 'sauvegarde', date, livres } as const;
        };
        return { write, discard: () => prepared.discard() };
      });
    } finally {
      isRestoring = false;
    }
  });

  const { backupPath } = config;
  if (backupPath === null) return;
  let stop = (): void => undefined;
  app.addHook('onListen', async () => {
    const { databasePath, coversPath } = config;
    stop = backUpNightly(
      { databasePath, coversPath, folder: backupPath },
      {
        done: (path) => {
          failure = null;
          app.log.info(`Backed up to ${path}`);
        },
        failed: (error) => {
          failure = new Date();
          app.log.error(error, 'The nightly backup failed');
        },
      },
    );
  });
  app.addHook('preClose', async () => stop());
}
