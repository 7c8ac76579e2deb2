import { m } from '#messages';
import { once } from 'node:events';
import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type Sqlite from 'better-sqlite3';
import { NIGHTLY_BACKUP } from '#server/plumbing/paths';
import { codeOf } from '#server/plumbing/common/system-errors';
import { raison, messageOf, type RaisonMessage } from '#server/plumbing/common/raisons';
import {
  freePath,
  giveToOwnerOfFolder,
  instantInName,
  makeFolder,
  makeWorkspace,
  removeWorkspace,
  sync,
} from '../files.ts';
import { realPathOf } from '../lock.ts';
import { inspect, openToRead, readMigrations } from '../migrations.ts';
import { UnusableDatabase } from '../unusable.ts';
import { check } from './check.ts';
import { InvalidBackup, openBackup, writeBackup, type Manifest } from './file.ts';
import { forgetOldestNight, lastNight, nameOfNight, type StoredBackup } from './folder.ts';
import {
  databaseSummaryOf,
  makeSelfContained,
  readDatabaseSummary,
  withDatabase,
} from './database-file.ts';
import { prepareDatabase } from './restore.ts';

interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
  /** For a nightly backup: the fuller backup that prevents the removal of old ones. */
  readonly fullest: StoredBackup | null;
}

export const defaultFolder = (databasePath: string): string =>
  join(dirname(databasePath), 'sauvegardes');

/** Prefix of the workspaces in which backups are made. */
export const WORKSPACES = 'rayonnage';

/** The last copy of a household's database that cannot be restored, for a repair by hand. */
const UNRESTORABLE = 'rayonnage-non-restaurable.zip';

/**
 * Backs up a database and its covers while a service may have it open, and reads the backup through as a restore
 * does. Old nightly backups may be removed (docs/rules.md § 42). Throws UnusableDatabase, InvalidBackup if the result
 * is not readable, or the system's error; an unfinished file never has a backup's name.
 */
export async function makeBackup(
  databasePath: string,
  folder: string,
  {
    isNightly = false,
    isMeant = false,
    now = new Date(),
    coversPath = join(dirname(databasePath), 'couvertures'),
  } = {},
): Promise<Backup> {
  const library = existsSync(databasePath) ? realPathOf(databasePath) : databasePath;
  // Only the nightly backups are made by a thread of the service.
  if (inspect(library, readMigrations(), { isOpenHere: isNightly }) === 0)
    throw new Error(m.operator_backup_nothing({ path: library }));
  makeFolder(folder);
  const workspace = makeWorkspace(join(folder, WORKSPACES));
  const [copy, zip] = [join(workspace, 'copy.sqlite'), join(workspace, 'backup.zip')];
  try {
    const { coverKeys, ...about } = await copyDatabase(library, copy);
    const covers = coverKeys.map((cle) => join(coversPath, cle));
    const contents = { databasePath: copy, covers };
    const manifest = await writeBackup(zip, contents, {
      date: now.toISOString(),
      ...about,
      ...(isMeant && { voulu: true }),
    });
    await readBack(zip, join(workspace, 'restored.sqlite')).catch((error: unknown) => {
      const why = reasonOf(error);
      if (why === null) throw error;
      const path = join(folder, UNRESTORABLE);
      renameSync(zip, path);
      giveToOwnerOfFolder(path);
      sync(folder);
      throw new InvalidBackup(raison('sauvegardeNonRestaurable', { path, raison: why }));
    });
    const name = isNightly ? nameOfNight(now) : `rayonnage-${instantInName(now)}`;
    const path = freePath(join(folder, name), '.zip');
    renameSync(zip, path);
    giveToOwnerOfFolder(path);
    sync(folder);
    const fullest = isNightly ? await forgetOldestNight(folder, now, manifest) : null;
    return { path, bytes: statSync(path).size, manifest, fullest };
  } finally {
    removeWorkspace(workspace);
  }
}

/** Why a backup cannot be restored; `null` where the disk failed, or nothing is known of it. */
function reasonOf(error: unknown): RaisonMessage | string | null {
  if (error instanceof InvalidBackup) return messageOf(error.raison);
  return error instanceof UnusableDatabase ? error.message : null;
}

/** Runs all checks of a restore on a backup. */
async function readBack(path: string, fresh: string): Promise<void> {
  const backup = await openBackup(path);
  try {
    await prepareDatabase(backup, fresh);
    await backup.readThrough();
  } finally {
    backup.close();
  }
}

/** Pages copied before the event loop gets a turn. */
const PAGES_PER_TURN = 1000;

interface Content extends Pick<Manifest, 'schema' | 'livres' | 'bibliotheque'> {
  readonly coverKeys: readonly string[];
}

/**
 * Copies a database by SQLite's online backup; a service may write meanwhile. Throws InvalidBackup where it is damaged.
 */
async function copyDatabase(path: string, to: string): Promise<Content> {
  const db = openToRead(path);
  try {
    // The read transaction pins one snapshot: otherwise every write of the service would restart
    // the copy.
    db.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    await db.backup(to, { progress: () => PAGES_PER_TURN }).catch((cause: unknown) => {
      if (!/^SQLITE_(?:IOERR|FULL|CANTOPEN)/.test(codeOf(cause))) throw cause;
      const folder = dirname(dirname(to));
      throw new Error(m.operator_backup_not_written({ folder }), { cause });
    });
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  makeSelfContained(to);
  await check('copy', to);
  return withDatabase(to, readContent);
}

function readContent(db: Sqlite.Database): Content {
  const { created: _, ...about } = databaseSummaryOf(db);
  return {
    ...about,
    coverKeys: db.prepare<[], string>('SELECT cle FROM Couverture ORDER BY cle').pluck().all(),
  };
}

const HOUR_MS = 60 * 60 * 1000;
/** The hour of the nightly backup, in local time. */
const HOUR = 3;
/** An overdue backup is made this long after the start. */
const CATCH_UP_MS = 60 * 1000;

export interface HousePaths {
  readonly databasePath: string;
  readonly coversPath: string;
  readonly folder: string;
}

export type NightlyBackup = Pick<Backup, 'path' | 'fullest'>;

interface Report {
  readonly done: (made: NightlyBackup) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Backs up every night at three, and soon after a start without a backup of the last 24 hours. Returns a function
 * that stops it.
 */
export function backUpNightly(paths: HousePaths, report: Report): () => void {
  let timer: NodeJS.Timeout | undefined;
  const plan = (delay: number): void => {
    timer = setTimeout(() => void run(), delay).unref();
  };
  const run = async (): Promise<void> => {
    try {
      report.done(await backUpInThread(paths));
    } catch (error) {
      report.failed(error);
    }
    if (timer !== undefined) plan(untilNight(new Date()));
  };
  plan(untilFirst(paths, new Date(), report));
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

export async function backUpInThread(paths: HousePaths): Promise<NightlyBackup> {
  const worker = new Worker(NIGHTLY_BACKUP);
  worker.postMessage(paths);
  const ended = once(worker, 'exit').then(() => []);
  // An error of the thread rejects `once`.
  const [made]: NightlyBackup[] = await Promise.race([once(worker, 'message'), ended]);
  if (made === undefined) throw new Error('The thread of the nightly backup has ended');
  return made;
}

function untilFirst({ databasePath, folder }: HousePaths, now: Date, { failed }: Report): number {
  try {
    const { bibliotheque } = readDatabaseSummary(databasePath);
    const age = now.getTime() - lastNight(folder, bibliotheque, now);
    if (age > 24 * HOUR_MS) return CATCH_UP_MS;
  } catch (error) {
    failed(error);
  }
  return untilNight(now);
}

export function untilNight(now: Date): number {
  const night = new Date(now);
  night.setHours(HOUR, 0, 0, 0);
  if (night <= now) night.setDate(night.getDate() + 1);
  return night.getTime() - now.getTime();
}
