import { createWriteStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#shared/refusals';
import * as api from '#shared/sauvegardes';
import type { Sauvegardes } from '#shared/sauvegardes';
import type { Config } from '#server/config';
import { backUpNightly, defaultFolder } from '#server/plumbing/database/backup/backup';
import { InvalidBackup, isBackup } from '#server/plumbing/database/backup/file';
import {
  prepareRestore,
  type HouseholdPaths,
  type PreparedRestore,
} from '#server/plumbing/database/backup/restore';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import { isFullDisk, makeWorkspace, removeWorkspace } from '#server/plumbing/database/files';
import { UnusableDatabase } from '#server/plumbing/database/unusable';
import { callerKeyOf } from '#server/plumbing/http/identity';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import type { Records } from '#server/plumbing/records/records';
import { longOperation, type Call } from '#server/plumbing/writes/writes';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import { endEntries, type Entries } from '#server/subjects/identity/members';
import { pictureTaker, takePictures } from '#server/subjects/importations/archive';
import { executerEssai, keepEssai, readFichier } from '#server/subjects/importations/importations';

/** A file has such a name only once it has been read back. */
const BACKUP = /^rayonnage-(?:nuit-)?[\dT-]+Z(?:-\d+)?\.zip$/;

/** The most by which a clock is usually set back. */
const CLOCK_STEP_MS = 60_000;

export function readBackups(folder: string): Pick<Sauvegardes, 'nombre' | 'derniere'> {
  const files = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => BACKUP.test(name))
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .filter((stats) => stats !== undefined)
    .sort((a, b) => b.mtimeMs - a.mtimeMs);
  // Those dated after now were made while the clock was ahead.
  const now = Date.now() + CLOCK_STEP_MS;
  const newest = files.find(({ mtimeMs }) => mtimeMs <= now) ?? files[0];
  return {
    nombre: files.length,
    derniere:
      newest === undefined ? null : { date: newest.mtime.toISOString(), octets: newest.size },
  };
}

/**
 * `work` gets the path of the uploaded file, which is deleted when `work` fails, else by `settled`. Throws
 * `DISQUE_PLEIN`, and `FICHIER_INVALIDE` for an empty body.
 */
async function withUpload<T extends object>(
  body: Readable | null,
  beside: string,
  work: (path: string) => Promise<T>,
): Promise<T & { readonly settled: () => void }> {
  if (body === null) throw new Refusal('FICHIER_INVALIDE', { raison: 'Ce fichier est vide.' });
  const workspace = makeWorkspace(beside);
  const received = join(workspace, 'recu');
  try {
    await pipeline(body, createWriteStream(received));
    return { ...(await work(received)), settled: () => removeWorkspace(workspace) };
  } catch (error) {
    removeWorkspace(workspace);
    if (!isFullDisk(error)) throw error;
    const refusal = new Refusal('DISQUE_PLEIN');
    refusal.cause = error;
    throw refusal;
  }
}

/** Throws `FICHIER_INVALIDE` with the reason. */
async function prepareUpload(
  file: string,
  place: HouseholdPaths,
): Promise<PreparedRestore & Entries> {
  let entries: Entries = { membres: [], cles: [] };
  try {
    const prepared = await prepareRestore(file, place, (tx) => (entries = endEntries(tx)));
    return { ...prepared, ...entries };
  } catch (error) {
    if (error instanceof InvalidBackup)
      throw new Refusal('FICHIER_INVALIDE', { raison: error.message });
    // The error's own message names paths of the server, which must not be disclosed.
    if (error instanceof UnusableDatabase)
      throw new Refusal('FICHIER_INVALIDE', {
        raison: 'La base de cette sauvegarde n’est pas lisible par cette version de Rayonnage.',
      });
    throw error;
  }
}

interface UploadCall extends Call<typeof api.restaurer> {
  readonly path: string;
  readonly avertissements: readonly string[];
}

export const restauration = longOperation({
  endpoint: api.restaurer,
  holder: 'La restauration d’un export',
  size: () => Infinity,
  prepare: ({ database }, { path, avertissements, utilisateur }: UploadCall) =>
    readFichier(database, path, {
      utilisateur,
      nom: null,
      aLire: 'statut',
      colonnes: null,
      avertissements,
    }),
  run(records, { utilisateur }: UploadCall, essai) {
    // Something may have been added while the file was on its way.
    if (!records.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
    const { answer, act } = executerEssai(records, keepEssai(records.database, essai), utilisateur);
    const { nouveaux, date } = answer;
    return { answer: { nature: 'export' as const, date, livres: nouveaux }, act };
  },
});

interface SauvegardesContext {
  readonly config: Config;
  readonly covers: Covers;
  readonly database: Database;
  readonly records: Records<Database>;
  readonly restart: (work: () => void) => void;
}

export function routes(app: FastifyInstance, context: SauvegardesContext): void {
  const { config, database } = context;
  const folder = config.backupPath ?? defaultFolder(config.databasePath);
  let failure: Date | null = null;
  let isRestoring = false;

  mount(app, api.lireSauvegardes, () => ({
    chaqueNuit: config.backupPath !== null,
    ...readBackups(folder),
    echec: failure?.toISOString() ?? null,
  }));

  mountPrepared(app, api.restaurer, async ({ request, reply, utilisateur }) => {
    if (!database.takesWrites) throw new Refusal('RESTAURATION_EN_COURS');
    if (!context.records.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
    if (isRestoring) throw new Refusal('IMPORTATION_EN_COURS');
    isRestoring = true;
    try {
      const prepared = await withUpload(request.bodyStream, config.databasePath, async (path) => {
        const asker = { owner: callerKeyOf(request), signal: request.signal };
        if (!isBackup(path)) {
          const take = pictureTaker(context.covers.library, asker);
          const avertissements = await takePictures(path, take, asker.signal);
          const call = {
            params: {},
            query: {},
            body: undefined,
            utilisateur,
            path,
            avertissements,
          };
          return { write: { operation: restauration, call } };
        }
        const prepared = await prepareUpload(path, config);
        const write = (tx: Transaction) => {
          // Something may have been added while the file was on its way.
          if (!context.records.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
          // Later writes would be acknowledged, and lost with the file that is replaced.
          tx.isLast = true;
          // Once the answer has left: its connection ends with the service.
          reply.raw.once('close', () => {
            if (database.takesWrites) prepared.discard();
            else context.restart(() => void prepared.put());
          });
          const { manifest, membres, cles } = prepared;
          const { date, livres } = manifest;
          return { nature: 'sauvegarde', date, livres, membres, cles } as const;
        };
        return { write, discard: () => prepared.discard() };
      });
      const settled = () => {
        isRestoring = false;
        prepared.settled();
      };
      return { ...prepared, settled };
    } catch (error) {
      isRestoring = false;
      throw error;
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
