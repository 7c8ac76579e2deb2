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
import { readLibrary, type Library } from '#server/plumbing/database/backup/library';
import {
  prepareRestore,
  type HouseholdPaths,
  type PreparedRestore,
} from '#server/plumbing/database/backup/restore';
import type { Transaction } from '#server/plumbing/database/connection';
import type { Database } from '#server/plumbing/database/database';
import { UnusableDatabase } from '#server/plumbing/database/unusable';
import { mount, mountPrepared } from '#server/plumbing/http/mount';
import { askerOf } from '#server/plumbing/http/request';
import { withUpload } from '#server/plumbing/http/upload';
import type { Records } from '#server/plumbing/records/records';
import { longOperation, type Call } from '#server/plumbing/writes/operations';
import type { Covers } from '#server/subjects/couvertures/couvertures';
import { endEntries, type Entries } from '#server/subjects/identity/members';
import { pictureTaker, takePictures } from '#server/subjects/importations/pictures';
import {
  beginReading,
  executerEssai,
  keepEssai,
  openEssai,
  readFichier,
} from '#server/subjects/importations/importations';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';

/** The most by which a clock is usually set back. */
const CLOCK_STEP_MS = 60_000;

/** Those of other households in the same folder are left out. */
export function readBackups(
  folder: string,
  library: Pick<Library, 'bibliotheque' | 'livres'>,
): Pick<Sauvegardes, 'nombre' | 'derniere' | 'retenues'> {
  const all = listBackups(folder);
  const files = all
    .filter((each) => mayBeOf(each, library.bibliotheque))
    .sort((a, b) => b.written.getTime() - a.written.getTime());
  // Those dated after now were made while the clock was ahead.
  const now = Date.now() + CLOCK_STEP_MS;
  const newest = files.find(({ written }) => written.getTime() <= now) ?? files[0];
  const { manifest } = fullestNight(all, library, new Date()) ?? {};
  return {
    nombre: files.length,
    derniere:
      newest === undefined ? null : { date: newest.written.toISOString(), octets: newest.bytes },
    retenues: manifest ? { date: manifest.date, livres: manifest.livres } : null,
  };
}

const READ_LIVRES = 'SELECT count(*) FROM Livre';

export const libraryNow = (database: Database): Pick<Library, 'bibliotheque' | 'livres'> => ({
  bibliotheque: database.householdId,
  livres: database.value<number>(READ_LIVRES) ?? 0,
});

const day = (date: string | null | undefined): string =>
  date ? formatLongDay(new Date(date)) : '';

interface BackupsNotice {
  readonly sentence: string;
  readonly why: string;
}

/** What is said where backups hold at least twice the books of a database; `null` where they do not. */
export function compareBackups(databasePath: string, folder: string): BackupsNotice | null {
  const standing = compareWithBackups(readLibrary(databasePath), folder);
  if (standing === null) return null;
  const { created, livres, fullest, isOwn } = standing;
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

/** What whoever starts the service reads of its library. */
export function startNotices({ config, database }: SauvegardesContext): string[] {
  const { databasePath, backupPath } = config;
  const folder = backupPath ?? defaultFolder(databasePath);
  const isNew = database.isNew ? [m.operator_start_new_database({ path: databasePath })] : [];
  try {
    const notice = compareBackups(databasePath, folder);
    return notice === null ? isNew : [`${notice.sentence} ${notice.why}`];
  } catch (error) {
    // No reason not to start: where the folder does not open, the next backup fails, and is told.
    const reason = error instanceof Error ? error.message : String(error);
    return [...isNew, m.operator_start_not_compared({ reason })];
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
    if (error instanceof InvalidBackup) throw invalid(error.raison);
    // The error's own message names paths of the server, which must not be disclosed.
    if (error instanceof UnusableDatabase) throw invalid(raison('sauvegardeIllisible'));
    throw error;
  }
}

interface UploadCall extends Call<typeof api.restaurer> {
  readonly path: string;
  readonly avertissements: readonly Raison[];
}

const restauration = longOperation({
  endpoint: api.restaurer,
  holder: 'restauration',
  size: () => Infinity,
  async readAhead({ database }, { path, avertissements, utilisateur }: UploadCall, inTurn) {
    const essai = await readFichier(database, path, {
      utilisateur,
      nom: null,
      aLire: 'statut',
      colonnes: null,
      avertissements,
    });
    return { essai, id: await keepEssai(essai, inTurn) };
  },
  run(records, { utilisateur }: UploadCall, { essai, id }) {
    // Something may have been added while the file was on its way.
    if (!records.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
    openEssai(records.database, id, essai);
    const { answer, act } = executerEssai(records, id, utilisateur);
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
    ...readBackups(folder, libraryNow(database)),
    echec: failure?.toISOString() ?? null,
  }));

  mountPrepared(app, api.restaurer, async ({ request, reply, utilisateur }) => {
    if (!database.takesWrites) throw new Refusal('RESTAURATION_EN_COURS');
    if (!context.records.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
    if (isRestoring) throw new Refusal('IMPORTATION_EN_COURS');
    isRestoring = true;
    const taken: string[] = [];
    const endReading = beginReading(database);
    const end = () => {
      isRestoring = false;
      const ended = Promise.all([endReading(), context.covers.library.letGo(taken)]);
      void ended.catch((error: unknown) => app.log.error(error));
    };
    try {
      const prepared = await withUpload(request.bodyStream, config.databasePath, async (path) => {
        const asker = askerOf({ request, reply });
        if (!isBackup(path)) {
          const take = pictureTaker(context.covers.library, asker, taken);
          const avertissements = await takePictures(path, take, asker.signal);
          const call = {
            params: {},
            query: {},
            body: undefined,
            utilisateur,
            locale: request.locale,
            path,
            avertissements,
          };
          return { write: { operation: restauration, call } };
        }
        const prepared = await prepareUpload(path, config);
        const write = (tx: Transaction) => {
          // Something may have been added while the file was on its way.
          if (!context.records.isEmpty()) throw new Refusal('BIBLIOTHEQUE_OCCUPEE');
          // The end of its connection, which puts the database in place, would never come.
          if (reply.raw.closed) throw invalid(raison('envoiAbandonne'));
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
        prepared.settled();
        end();
      };
      return { ...prepared, settled };
    } catch (error) {
      end();
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
