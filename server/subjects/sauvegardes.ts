import { m } from '#messages';
import type { FastifyInstance } from 'fastify';
import { formatLongDay } from '#shared/long-day';
import { Refusal } from '#shared/refusals';
import * as api from '#shared/sauvegardes';
import type { Sauvegardes } from '#shared/sauvegardes';
import type { Config } from '#server/config';
import { backUpNightly, defaultFolder } from '#server/plumbing/database/backup/backup';
import { InvalidBackup, isBackup } from '#server/plumbing/database/backup/file';
import {
  compareWithBackups,
  fullestNight,
  listBackups,
  mayBeOf,
} from '#server/plumbing/database/backup/folder';
import {
  readDatabaseSummary,
  type DatabaseSummary,
} from '#server/plumbing/database/backup/database-file';
import {
  prepareRestore,
  type HouseholdPaths,
  type PreparedRestore,
} from '#server/plumbing/database/backup/restore';
import type { Database } from '#server/plumbing/database/database';
import { UnusableDatabase } from '#server/plumbing/database/unusable';
import { mount } from '#server/plumbing/http/mount';
import { queueOwnerOf } from '#server/plumbing/http/request';
import { withUpload } from '#server/plumbing/http/upload';
import type { Records } from '#server/plumbing/records/records';
import {
  answer,
  operation,
  read,
  UNKNOWN_SIZE,
  type Preparation,
} from '#server/plumbing/writes/operations';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import { revokeRestoredAccess, type Entries } from '#server/subjects/identity/members';
import { pictureTaker, takePictures } from '#server/subjects/importations/pictures';
import {
  beginReading,
  executerEssai,
  keepEssai,
  openEssai,
  readFichier,
} from '#server/subjects/importations/importations';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import { describeSystemError } from '#server/plumbing/common/system-errors';

/** The most by which a clock is usually set back. */
const CLOCK_STEP_MS = 60_000;

/** The household's backups, without those of others in the same folder. */
export function readBackups(
  folder: string,
  household: Pick<DatabaseSummary, 'bibliotheque' | 'livres'>,
): Pick<Sauvegardes, 'nombre' | 'derniere' | 'retenues'> {
  const all = listBackups(folder);
  const files = all
    .filter((each) => mayBeOf(each, household.bibliotheque))
    .sort((a, b) => b.written.getTime() - a.written.getTime());
  // Backups dated in the future were made by a wrong clock.
  const now = Date.now() + CLOCK_STEP_MS;
  const newest = files.find(({ written }) => written.getTime() <= now) ?? files[0];
  const { manifest } = fullestNight(all, household, new Date()) ?? {};
  return {
    nombre: files.length,
    derniere:
      newest === undefined ? null : { date: newest.written.toISOString(), octets: newest.bytes },
    retenues: manifest ? { date: manifest.date, livres: manifest.livres } : null,
  };
}

const READ_LIVRES = 'SELECT count(*) FROM Livre';

export const householdNow = (
  database: Database,
): Pick<DatabaseSummary, 'bibliotheque' | 'livres'> => ({
  bibliotheque: database.householdId,
  livres: database.value<number>(READ_LIVRES) ?? 0,
});

const day = (date: string | null | undefined): string =>
  date ? formatLongDay(new Date(date)) : '';

interface BackupsNotice {
  readonly sentence: string;
  readonly why: string;
}

/** The notice about backups with at least twice the books of a database; `null` without any. */
export function compareBackups(databasePath: string, folder: string): BackupsNotice | null {
  const comparison = compareWithBackups(readDatabaseSummary(databasePath), folder);
  if (comparison === null) return null;
  const { created, livres, fullest, isOwn } = comparison;
  const { name, manifest } = fullest;
  const books = m.count_livres({ count: livres });
  const more = m.operator_backup_more({
    livres: m.count_livres({ count: manifest?.livres ?? 0 }),
    day: day(manifest?.date),
    name,
  });
  if (isOwn)
    return {
      sentence: m.operator_backup_more_own({ livres: books, more }),
      why: m.operator_backup_more_own_why(),
    };
  return {
    sentence: m.operator_backup_more_others({ day: day(created), livres: books, folder, more }),
    why: m.operator_backup_more_others_why(),
  };
}

/** The operator's notices about the library at a start. */
export function startNotices({ config, database }: SauvegardesContext): string[] {
  const { databasePath, backupPath } = config;
  const folder = backupPath ?? defaultFolder(databasePath);
  const isNew = database.isNew ? [m.operator_start_new_database({ path: databasePath })] : [];
  try {
    const notice = compareBackups(databasePath, folder);
    return notice === null ? isNew : [`${notice.sentence} ${notice.why}`];
  } catch (error) {
    // An unreadable folder does not prevent the start: the next backup fails, and is reported.
    const message = error instanceof Error ? error.message : String(error);
    const reason = describeSystemError(error) ?? message;
    return [...isNew, m.operator_start_not_compared({ reason })];
  }
}

/** Throws `FICHIER_INVALIDE` with the reason. */
async function prepareUpload(
  file: string,
  paths: HouseholdPaths,
): Promise<PreparedRestore & Entries> {
  let entries: Entries = { membres: [], cles: [] };
  try {
    const prepared = await prepareRestore(
      file,
      paths,
      (tx) => (entries = revokeRestoredAccess(tx)),
    );
    return { ...prepared, ...entries };
  } catch (error) {
    if (error instanceof InvalidBackup) throw invalid(error.raison);
    // The error's own message names paths of the server, which must not be disclosed.
    if (error instanceof UnusableDatabase) throw invalid(raison('sauvegardeIllisible'));
    throw error;
  }
}

/** An uploaded file: an export, which is imported, or a backup, which is put in the place of the database. */
type Upload =
  | { readonly nature: 'export'; readonly path: string; readonly avertissements: readonly Raison[] }
  | {
      readonly nature: 'sauvegarde';
      readonly restore: PreparedRestore & Entries;
      /** Makes the next start use the prepared database, after the response is sent. Throws if the client is gone. */
      readonly putInPlace: () => void;
    };

interface RestoreServices extends SauvegardesContext {
  /** Throws `IMPORTATION_EN_COURS` while another file is restored. */
  readonly begin: (write: Preparation, taken: readonly string[]) => void;
}

const restauration = operation(api.restaurer, {
  may: 'manager',
  async prepare(call, context: RestoreServices): Promise<Upload> {
    const { config, covers, database, records, restart } = context;
    const { request, reply, onFailure } = call;
    if (!database.takesWrites) throw new Refusal('RESTAURATION_EN_COURS');
    if (!records.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
    const taken: string[] = [];
    context.begin(call, taken);
    return withUpload(call, config.databasePath, async (path) => {
      if (!isBackup(path)) {
        const caller = queueOwnerOf({ request, reply });
        const take = pictureTaker(covers.store, caller, taken);
        const avertissements = await takePictures(path, take, caller.signal);
        return { nature: 'export', path, avertissements };
      }
      const restore = await prepareUpload(path, config);
      onFailure.defer(() => restore.discard());
      const putInPlace = () => {
        // The close event that triggers the replacement would never come.
        if (reply.raw.closed) throw invalid(raison('envoiAbandonne'));
        restore.commit();
        // Wait for the end of the response: its connection would end with the service.
        reply.raw.once('close', () => {
          if (database.takesWrites) restore.discard();
          else restart(() => void restore.put());
        });
      };
      return { nature: 'sauvegarde', restore, putInPlace };
    });
  },
  holder: 'restauration',
  size: (_, { prepared: { nature } }) => (nature === 'export' ? UNKNOWN_SIZE : 1),
  async readAhead(database, { utilisateur, prepared }, runShortWrite) {
    if (prepared.nature === 'sauvegarde') return null;
    const { path, avertissements } = prepared;
    const essai = await readFichier(database, path, {
      utilisateur,
      nom: null,
      aLire: 'statut',
      colonnes: null,
      avertissements,
    });
    return { essai, id: await keepEssai(essai, runShortWrite) };
  },
  run(tx, { utilisateur, prepared, ahead, records }) {
    // Records may have been added during the upload.
    if (!records.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
    if (prepared.nature === 'export' && ahead !== null) {
      openEssai(tx, ahead.id, ahead.essai);
      const { answer: importee, saved } = executerEssai(records, ahead.id, utilisateur);
      const { nouveaux, date } = importee;
      return answer({ nature: 'export', date, livres: nouveaux }, { saved });
    }
    if (prepared.nature === 'export') throw new Error('The export was not read');
    prepared.putInPlace();
    // Later writes would be acknowledged, and lost with the file that is replaced.
    tx.isLast = true;
    const { manifest, membres, cles } = prepared.restore;
    const { date, livres } = manifest;
    return answer({ nature: 'sauvegarde', date, livres, membres, cles });
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

  const begin: RestoreServices['begin'] = ({ afterwards }, taken) => {
    if (isRestoring) throw new Refusal('IMPORTATION_EN_COURS');
    isRestoring = true;
    const endReading = beginReading(database);
    afterwards.defer(() => {
      isRestoring = false;
      const ended = Promise.all([endReading(), context.covers.store.letGo(taken)]);
      void ended.catch((error: unknown) => app.log.error(error));
    });
  };

  const restoring = [
    read(api.lireSauvegardes, {
      may: 'household',
      run: () => ({
        chaqueNuit: config.backupPath !== null,
        ...readBackups(folder, householdNow(database)),
        echec: failure?.toISOString() ?? null,
      }),
    }),
    restauration,
  ];
  mount(app, restoring, { ...context, begin });

  const { backupPath } = config;
  if (backupPath === null) return;
  let stop = (): void => undefined;
  app.addHook('onListen', async () => {
    const { databasePath, coversPath } = config;
    stop = backUpNightly(
      { databasePath, coversPath, folder: backupPath },
      {
        done: ({ path, fullest }) => {
          failure = null;
          app.log.info(`Backed up to ${path}`);
          if (fullest !== null)
            app.log.warn(`No backup is forgotten: ${fullest.name} has at least twice the books`);
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
