import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { raison } from '#server/plumbing/common/raisons';
import type { Transaction } from '../connection.ts';
import { Database } from '../database.ts';
import {
  freePath,
  instantInName,
  isFullDisk,
  makeWorkspace,
  removeWorkspace,
  stemOf,
  sync,
} from '../files.ts';
import { drawEpoque } from '../history.ts';
import { lockDatabase, realPathOf } from '../lock.ts';
import { readMigrations } from '../migrations.ts';
import { UnusableDatabase } from '../unusable.ts';
import { makeSelfContained } from './backup.ts';
import { check } from './check.ts';
import { InvalidBackup, openBackup, type Manifest } from './file.ts';
import { checkSchema } from './schema.ts';

const COMPANIONS = ['', '-wal', '-shm'] as const;

/** The folder of the covers is beside the database unless given. */
export interface HouseholdPaths {
  readonly databasePath: string;
  readonly coversPath?: string;
}

interface RestoreResult {
  readonly manifest: Manifest;
  readonly kept: string | null;
}

/** Runs in the restored database before it is put in place, and removes what a backup must not bring back. */
type Cleanup = (tx: Transaction) => void;

export interface PreparedRestore {
  readonly manifest: Manifest;
  /**
   * Puts the checked database in place and returns where the old one is kept. Nothing may have the old one open. At
   * every moment the path holds either the old database or the new one, whole.
   */
  readonly put: () => string | null;
  readonly discard: () => void;
}

/**
 * Restores a backup over a household under a new epoch, so that every device builds its copy anew (docs/rules.md § 42).
 * The replaced database is kept beside it. Throws UnusableDatabase where a service has the database open, and
 * InvalidBackup; nothing is changed then.
 *
 * @param onPrepared told what the backup holds once it is checked, before anything is replaced
 */
export async function restoreBackup(
  file: string,
  place: HouseholdPaths,
  {
    onPrepared,
    cleanUp,
  }: {
    readonly onPrepared?: (manifest: Manifest) => void;
    readonly cleanUp?: Cleanup;
  } = {},
): Promise<RestoreResult> {
  mkdirSync(dirname(place.databasePath), { recursive: true });
  const lock = lockDatabase(realPathOf(place.databasePath));
  try {
    const prepared = await prepareRestore(file, place, cleanUp);
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
  const discard = (): void => workspaces.forEach((each) => removeWorkspace(each));
  try {
    checkVersion(backup.manifest);
    mkdirSync(dirname(databasePath), { recursive: true });
    const path = realPathOf(databasePath);
    const makeBeside = (place: string): string => {
      const workspace = makeWorkspace(place);
      workspaces.push(workspace);
      return workspace;
    };
    const fresh = join(makeBeside(path), basename(path));
    await backup.extractDatabase(fresh);
    await check('backup', fresh);
    beginHistory(fresh);
    openOnce(fresh, cleanUp);
    checkSchema(fresh);
    const freshCovers = makeBeside(coversPath);
    await backup.extractCovers(freshCovers);
    sync(freshCovers);
    const put = () => {
      addCovers(coversPath, freshCovers);
      const kept = keep(path);
      renameSync(fresh, path);
      sync(dirname(path));
      discard();
      return kept;
    };
    return { manifest: backup.manifest, put, discard };
  } catch (error) {
    discard();
    throw error;
  } finally {
    backup.close();
  }
}

/**
 * Upgrades a database, and leaves one file, synced to the disk. Throws the system's or SQLite's error for a full disk,
 * else UnusableDatabase.
 */
function openOnce(path: string, cleanUp: Cleanup): void {
  try {
    const database = Database.open(path);
    try {
      database.write(cleanUp);
    } finally {
      database.close();
    }
    makeSelfContained(path);
    sync(path);
  } catch (error) {
    throw error instanceof UnusableDatabase && isFullDisk(error.cause) ? error.cause : error;
  }
}

export const FOLDER_OWNER = 'bibliotheque.txt';

/**
 * Adds the covers of a backup to those of the household. They are named by digests, so that both databases find their
 * covers while one replaces the other. Those that the restored one does not name go in time, as at each start: links to all
 * of the replaced one's are kept beside them.
 */
function addCovers(folder: string, fresh: string): void {
  mkdirSync(folder, { recursive: true });
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
}

/** A database older than epochs draws its first one when it is opened. */
function beginHistory(path: string): void {
  const db = new Sqlite(path);
  try {
    const has = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'Installation'").get();
    if (has !== undefined) drawEpoque(db);
  } finally {
    db.close();
  }
}

function keep(path: string): string | null {
  if (!existsSync(path)) return null;
  foldLog(path);
  const kept = freeName(stemOf(path), '.sqlite');
  for (const companion of COMPANIONS)
    if (existsSync(path + companion)) giveName(path + companion, kept + companion);
  sync(dirname(path));
  // SQLite would read the log of the old database into the new one.
  for (const companion of COMPANIONS.slice(1)) rmSync(path + companion, { force: true });
  return kept;
}

function foldLog(path: string): void {
  let db: Sqlite.Database | undefined;
  try {
    db = new Sqlite(path, { fileMustExist: true });
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    // An unreadable database is kept as it is: it may be the reason for the restore.
    if (!(error instanceof Sqlite.SqliteError)) throw error;
  } finally {
    db?.close();
  }
}

function giveName(path: string, name: string): void {
  try {
    linkSync(path, name);
  } catch {
    copyFileSync(path, name); // a file system without links
    sync(name);
  }
}

const freeName = (stem: string, ending: string): string =>
  freePath(`${stem}.remplacee-${instantInName(new Date())}`, ending);
