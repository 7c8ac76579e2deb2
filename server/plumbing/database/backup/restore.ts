import { copyFileSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { raison } from '#server/plumbing/common/raisons';
import type { Transaction } from '../connection.ts';
import { Database } from '../database.ts';
import { isFullDisk, makeFolder, makeWorkspace, removeWorkspace, sync } from '../files.ts';
import { drawEpoque } from '../history.ts';
import { lockDatabase, realPathOf } from '../lock.ts';
import { OLDEST_SCHEMA, readMigrations } from '../migrations.ts';
import { UnusableDatabase } from '../unusable.ts';
import { check } from './check.ts';
import { InvalidBackup, openBackup, type Manifest, type OpenBackup } from './file.ts';
import { makeSelfContained } from './database-file.ts';
import { freeName, layReady, putPending, withdraw } from './pending.ts';
import { checkSchema } from './schema.ts';

/** The cover folder defaults to one beside the database. */
export interface HouseholdPaths {
  readonly databasePath: string;
  readonly coversPath?: string;
}

interface RestoreResult {
  readonly manifest: Manifest;
  readonly kept: string | null;
}

/**
 * Runs in the restored database before it replaces the present one, and removes what must not come back, such as
 * sessions.
 */
type Cleanup = (tx: Transaction) => void;

export interface PreparedRestore {
  readonly manifest: Manifest;
  /** Makes the next start use the checked database, even after a power cut. */
  readonly commit: () => void;
  /** Puts the database in place and returns the path of the old one, which must not be open. */
  readonly put: () => string | null;
  /** Cleans up if `put` was not called; revokes a commit. */
  readonly discard: () => void;
}

/**
 * Restores a backup under a new epoch, so that every device rebuilds its replica (docs/rules.md § 42). The replaced
 * database is kept beside it. Throws UnusableDatabase if a service has the database open, and InvalidBackup; nothing
 * is changed then.
 *
 * @param onPrepared called with the checked backup before anything is replaced
 */
export async function restoreBackup(
  file: string,
  paths: HouseholdPaths,
  {
    onPrepared,
    cleanUp,
  }: {
    readonly onPrepared?: (manifest: Manifest) => void;
    readonly cleanUp?: Cleanup;
  } = {},
): Promise<RestoreResult> {
  makeFolder(dirname(paths.databasePath));
  const path = realPathOf(paths.databasePath);
  const lock = lockDatabase(path);
  try {
    // A restore that was acknowledged before is applied first, and becomes the replaced database.
    putPending(path);
    const prepared = await prepareRestore(file, paths, cleanUp);
    try {
      onPrepared?.(prepared.manifest);
      return { manifest: prepared.manifest, kept: prepared.put() };
    } finally {
      prepared.discard();
    }
  } finally {
    lock.release();
  }
}

/** The present database stays untouched and may be open. Throws InvalidBackup. */
export async function prepareRestore(
  file: string,
  { databasePath, coversPath = join(dirname(databasePath), 'couvertures') }: HouseholdPaths,
  cleanUp: Cleanup = () => undefined,
): Promise<PreparedRestore> {
  const backup = await openBackup(file);
  const workspaces: string[] = [];
  let isCommitted = false;
  const clear = (): void => workspaces.forEach((each) => removeWorkspace(each));
  try {
    makeFolder(dirname(databasePath));
    const path = realPathOf(databasePath);
    const makeBeside = (folder: string): string => {
      const workspace = makeWorkspace(folder);
      workspaces.push(workspace);
      return workspace;
    };
    const fresh = join(makeBeside(path), basename(path));
    await prepareDatabase(backup, fresh, cleanUp);
    const { manifest } = backup;
    const livres = backup.isDatabaseAlone ? countLivres(fresh) : manifest.livres;
    const freshCovers = makeBeside(coversPath);
    await backup.extractCovers(freshCovers);
    sync(freshCovers);
    const commit = (): void => {
      addCovers(coversPath, freshCovers);
      layReady(fresh, path);
      isCommitted = true;
    };
    const put = (): string | null => {
      if (!isCommitted) commit();
      isCommitted = false;
      const kept = putPending(path);
      clear();
      return kept;
    };
    const discard = (): void => {
      if (isCommitted) withdraw(path);
      isCommitted = false;
      clear();
    };
    return { manifest: { ...manifest, livres }, commit, put, discard };
  } catch (error) {
    clear();
    throw error;
  } finally {
    backup.close();
  }
}

/**
 * Prepares a backup's database: checked, upgraded, cleaned and opened as at a start, with every row read. Leaves one
 * file, synced to the disk. Throws InvalidBackup.
 *
 * @param fresh the path that it is extracted to
 */
export async function prepareDatabase(
  backup: OpenBackup,
  fresh: string,
  cleanUp: Cleanup = () => undefined,
): Promise<void> {
  checkVersion(backup.manifest);
  await backup.extractDatabase(fresh);
  await check('backup', fresh);
  beginHistory(fresh);
  openOnce(fresh, cleanUp);
  checkSchema(fresh);
  await check('rows', fresh);
  makeSelfContained(fresh);
  sync(fresh);
}

function countLivres(path: string): number {
  const db = new Sqlite(path, { readonly: true });
  try {
    return db.prepare<[], number>('SELECT count(*) FROM Livre').pluck().get() ?? 0;
  } finally {
    db.close();
  }
}

/** Upgrades a database. Throws the system's or SQLite's error for a full disk, else UnusableDatabase. */
function openOnce(path: string, cleanUp: Cleanup): void {
  try {
    const database = Database.open(path);
    try {
      database.write(cleanUp);
    } finally {
      database.close();
    }
  } catch (error) {
    throw error instanceof UnusableDatabase && isFullDisk(error.cause) ? error.cause : error;
  }
}

export const FOLDER_OWNER = 'bibliotheque.txt';

/**
 * Adds the covers of a backup to the household's. Their names are digests, so that either database finds its covers
 * during the replacement. Covers that the restored database does not reference are removed later, as at each start;
 * hard links of all replaced ones stay beside them.
 */
function addCovers(folder: string, fresh: string): void {
  makeFolder(folder);
  keepCovers(folder);
  for (const name of filesOf(fresh)) moveFile(join(fresh, name), join(folder, name));
  // The restored household claims the folder when it is opened.
  rmSync(join(folder, FOLDER_OWNER), { force: true });
  sync(folder);
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== FOLDER_OWNER)
    .map(({ name }) => name);

function keepCovers(folder: string): void {
  const names = filesOf(folder);
  if (names.length === 0) return;
  const kept = freeName(folder, '');
  try {
    mkdirSync(kept);
    for (const name of names) linkSync(join(folder, name), join(kept, name));
    sync(kept);
  } catch {
    rmSync(kept, { recursive: true, force: true });
  }
}

function moveFile(path: string, to: string): void {
  try {
    renameSync(path, to);
  } catch {
    copyFileSync(path, to); // on another disk
  }
}

function checkVersion({ schema }: Manifest): void {
  const known = readMigrations().length;
  if (schema > known) throw new InvalidBackup(raison('schemaPlusRecent', { schema, known }));
  if (schema < OLDEST_SCHEMA) throw new InvalidBackup(raison('schemaTropAncien'));
}

/** A database whose schema is not the manifest's may have no epoch: the opening refuses it. */
function beginHistory(path: string): void {
  const db = new Sqlite(path);
  try {
    const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'Installation'").get();
    if (has !== undefined) drawEpoque(db);
  } finally {
    db.close();
  }
}
