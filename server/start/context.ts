import { accessSync, constants, mkdirSync } from 'node:fs';
import { openCovers, type Covers } from '#server/subjects/couvertures/couvertures';
import { defaultFolder } from '#server/plumbing/database/backup/backup';
import { Database } from '#server/plumbing/database/database';
import { foreignFile, isOfDatabase, toUnusable } from '#server/plumbing/database/unusable';
import { liveCatalogue, type LiveCatalogue } from '#server/subjects/livres/livres';
import { Records } from '#server/plumbing/records/records';
import { Journal } from '#server/plumbing/records/journal';
import { liveNumeroIndex, type LiveNumeroIndex } from '#server/subjects/revues/revues';
import { openSources, type Sources } from '#server/plumbing/upstream/sources';
import { ConfigError, type Config } from '#server/config';
import { keepAct, traced } from '#server/plumbing/writes/acts';
import { forgetTrace } from '#server/plumbing/writes/traces';
import { traceOlderImportations } from '#server/subjects/importations/before-traces';
import { kinds, tables } from './kinds.ts';

export interface Context {
  readonly config: Config;
  readonly database: Database;
  readonly records: Records<Database>;
  readonly journal: Journal;
  readonly catalogue: LiveCatalogue;
  readonly numeroIndex: LiveNumeroIndex;
  readonly sources: Sources;
  readonly covers: Covers;
  /** Closes the database, does work on its files and opens what is there then. */
  readonly restart: (work: () => void) => void;
}

/**
 * Opens the database of a configuration and assembles what its household is served from. Throws UnusableDatabase, and ConfigError where the folder of the covers or of the
 * backups cannot be used.
 * Ended by `context.database.close()`.
 *
 * @param restart see `Context`; a household without a service has none
 * @param announce told how long an upgrade of the database may take, and whose file may only be read
 */
export function openContext(
  config: Config,
  restart: Context['restart'] = () => undefined,
  announce?: (sentence: string) => void,
): Context {
  const { databasePath, backupPath, openLibraryCoversUrl } = config;
  // The default one is made by the first backup: a library on a disk that is read-only has to open, too.
  if (backupPath !== null && backupPath !== defaultFolder(databasePath))
    prepareBackupFolder(backupPath);
  const household = { tables, coversUrl: openLibraryCoversUrl };
  const database = Database.open(databasePath, undefined, household, announce);
  const foreign = foreignFile(databasePath);
  if (foreign !== null) announce?.(foreign);
  try {
    return assemble(config, database, restart);
  } catch (error) {
    database.close();
    throw isOfDatabase(error) ? toUnusable(database.place.path, error, true) : error;
  }
}

/** Brings the derived columns of a database up to the present rules (docs/rules.md § 30), and puts a context together. */
function assemble(config: Config, database: Database, restart: Context['restart']): Context {
  if (!database.isReadOnly) renewAll(database);
  const records = new Records(database, kinds);
  const sources = openSources(config);
  return {
    config,
    database,
    records,
    journal: new Journal(database),
    catalogue: liveCatalogue(records),
    numeroIndex: liveNumeroIndex(records),
    sources,
    covers: withCovers(config, database, sources),
    restart,
  };
}

/** A folder that cannot be used ends the start with one line that names its setting. */
function withCovers(config: Config, database: Database, sources: Sources): Covers {
  try {
    return openCovers(config, database, sources);
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    throw unusableFolder('COVERS_PATH', config.coversPath, error);
  }
}

/** Makes the folder at need. Otherwise one that cannot be used would be found out at night only. */
function prepareBackupFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw unusableFolder('BACKUP_PATH', path, error);
  }
}

function unusableFolder(setting: string, path: string, error: unknown): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError(`Réglage ${setting} : ${path} ne s’utilise pas (${reason}).`);
}

/** The digest of the sources of a bundle, which the build puts in its place. */
declare const SOURCES_DIGEST: string;

/**
 * The name of the rules by which `renewAll` rewrites a row: they are the program, and the Unicode tables of its
 * Node.js. `null` where the program runs from its sources, which may change.
 */
const RULES = typeof SOURCES_DIGEST === 'undefined' ? null : `${SOURCES_DIGEST} ${process.version}`;

/**
 * Brings records written by older rules up to the present ones at a start, in one transaction. A record that follows
 * them is not written, and one that cannot follow them does not stop the start. Nothing is read where all records are
 * known to follow these rules. Authors and themes that are joined are an act of no person (docs/rules.md § 30).
 */
export function renewAll(database: Database, rules = RULES): void {
  if (rules !== null && database.rules === rules) return;
  database.write((tx) => {
    const records = new Records(tx, kinds);
    traceOlderImportations(records);
    const open = traced(records, () =>
      Object.values(kinds).reduce(
        (inOrder, { renormaliser: renew }) => (renew?.(tx) ?? true) && inOrder,
        true,
      ),
    );
    // That a word went which nothing uses any more is nothing to undo.
    if (open.changes.every(({ table, apres }) => apres === null && records.isWord(table)))
      forgetTrace(tx, open.id);
    else keepAct(records, open, STARTUP_ACT);
    tx.noteRules(open.result ? rules : null);
  });
}

const STARTUP_ACT = {
  operation: 'renormaliser',
  undone: 'La mise en ordre du démarrage est annulée',
  resume: 'Fiches mises en ordre au démarrage',
  utilisateur: null,
  proprietaire: '',
};
