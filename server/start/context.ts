import { m } from '#messages';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { openCovers, type Covers } from '#server/subjects/couvertures/couvertures';
import { defaultFolder, WORKSPACES } from '#server/plumbing/database/backup/backup';
import { describeSystemError } from '#server/plumbing/common/system-errors';
import { Database } from '#server/plumbing/database/database';
import { makeFolder, removeLeftovers } from '#server/plumbing/database/files';
import { foreignFile, isOfDatabase, toUnusable } from '#server/plumbing/database/unusable';
import { liveCatalogue, type LiveCatalogue } from '#server/subjects/livres/catalogue';
import type { ReaderNames } from '#server/plumbing/http/reader-names';
import { Records } from '#server/plumbing/records/records';
import { Journal } from '#server/plumbing/records/journal';
import { liveNumeroIndex, type LiveNumeroIndex } from '#server/subjects/revues/revues';
import { openSources, type Sources } from '#server/plumbing/upstream/sources';
import { ConfigError, type Config } from '#server/config';
import { saveModification, captureChangeset } from '#server/subjects/modifications/changesets';
import { forgetTrace } from '#server/plumbing/writes/traces';
import { kinds, tables } from './kinds.ts';
import { knownReaders } from './known-readers.ts';

export interface Context {
  readonly config: Config;
  readonly database: Database;
  readonly records: Records<Database>;
  readonly journal: Journal;
  readonly readers: ReaderNames;
  readonly catalogue: LiveCatalogue;
  readonly numeroIndex: LiveNumeroIndex;
  readonly sources: Sources;
  readonly covers: Covers;
  readonly restart: (work: () => void) => void;
}

/**
 * Throws UnusableDatabase, and ConfigError if the folder of the covers or backups is unusable.
 *
 * @param announce called with the expected duration of an upgrade, and about a file of another system user
 */
export function openContext(
  config: Config,
  restart: Context['restart'] = () => undefined,
  announce?: (sentence: string) => void,
): Context {
  const { databasePath, backupPath, openLibraryCoversUrl } = config;
  // The first backup creates the default folder: a library on a read-only disk has to open, too.
  if (backupPath !== null && backupPath !== defaultFolder(databasePath))
    prepareBackupFolder(backupPath);
  const household = { tables, coversUrl: openLibraryCoversUrl };
  const database = Database.open(databasePath, undefined, household, announce);
  const backups = join(backupPath ?? defaultFolder(databasePath), WORKSPACES);
  for (const place of [databasePath, config.coversPath, backups]) removeLeftovers(place);
  const foreign = foreignFile(databasePath);
  if (foreign !== null) announce?.(foreign);
  try {
    const context = assemble(config, database, restart);
    database.neverBlock();
    return context;
  } catch (error) {
    database.close();
    throw isOfDatabase(error) ? toUnusable(database.options.path, error, true) : error;
  }
}

function assemble(config: Config, database: Database, restart: Context['restart']): Context {
  if (!database.isReadOnly) renewAll(database);
  const records = new Records(database, kinds);
  const sources = openSources(config);
  return {
    config,
    database,
    records,
    journal: new Journal(database),
    readers: knownReaders(database, records),
    catalogue: liveCatalogue(records),
    numeroIndex: liveNumeroIndex(records),
    sources,
    covers: withCovers(config, database, sources),
    restart,
  };
}

function withCovers(config: Config, database: Database, sources: Sources): Covers {
  try {
    return openCovers(config, database, sources);
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    throw unusableFolder('COVERS_PATH', config.coversPath, error);
  }
}

function prepareBackupFolder(path: string): void {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw unusableFolder('BACKUP_PATH', path, error);
  }
}

function unusableFolder(setting: string, path: string, error: unknown): ConfigError {
  const text = error instanceof Error ? error.message : String(error);
  const reason = (describeSystemError(error) ?? text).replace(/\.$/, '');
  return new ConfigError(
    m.operator_setting_wrong({
      name: setting,
      reason: m.operator_setting_unusable_folder({ path, reason }),
    }),
  );
}

declare const SOURCES_DIGEST: string;

/**
 * The program (its digest is put here by the build) and the Unicode tables of its Node.js; `null` when run from the
 * sources.
 */
const RULES = typeof SOURCES_DIGEST === 'undefined' ? null : `${SOURCES_DIGEST} ${process.version}`;

/**
 * Updates rows of older rules in one transaction (docs/rules.md § 30). Writes only rows that differ; a row that
 * cannot follow does not prevent the start; reads nothing if all rows are known to follow these rules and no other
 * program has written since. Merges become a modification without a person.
 */
export function renewAll(database: Database, rules = RULES): void {
  if (rules !== null && database.rules === rules && !database.holdsForeignWrites) return;
  database.write((tx) => {
    const records = new Records(tx, kinds);
    const open = captureChangeset(records, () =>
      Object.values(kinds).reduce(
        (areAll, { renormaliser: renew }) => (renew?.(tx) ?? true) && areAll,
        true,
      ),
    );
    // The removal of unused words alone is nothing that somebody would undo.
    if (open.changes.every(({ table, apres }) => apres === null && records.isLookupTable(table)))
      forgetTrace(tx, open.id);
    else saveModification(records, open, STARTUP_MODIFICATION);
    tx.noteRules(open.result ? rules : null);
  });
}

const STARTUP_MODIFICATION = {
  operation: 'renormaliser',
  message: { fait: 'fichesMisesEnOrdre' },
  utilisateur: null,
  proprietaire: '',
} as const;
