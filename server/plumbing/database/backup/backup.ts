import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { NIGHTLY_BACKUP } from '#server/plumbing/paths';
import { freePath, instantInName, makeWorkspace, removeWorkspace, sync } from '../files.ts';
import { realPathOf } from '../lock.ts';
import { inspect, openToRead, readMigrations, schemaOf } from '../migrations.ts';
import { InvalidBackup, openBackup, writeBackup, type Manifest } from './file.ts';

/** Of nightly backups; manual ones are never removed. */
const NIGHTS_KEPT = 14;
const NIGHT = /^rayonnage-nuit-[\dT-]+Z(?:-\d+)?\.zip$/;

interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
}

export const defaultFolder = (databasePath: string): string =>
  join(dirname(databasePath), 'sauvegardes');

/**
 * Backs up a database and its covers, and reads the backup through; a service may have the database open. The last 14
 * nightly backups are kept (docs/rules.md § 42). Throws UnusableDatabase, InvalidBackup where what was written does not
 * read back, or the system's error; nothing half made has a backup's name.
 */
export async function makeBackup(
  databasePath: string,
  folder: string,
  {
    isNightly = false,
    now = new Date(),
    coversPath = join(dirname(databasePath), 'couvertures'),
  } = {},
): Promise<Backup> {
  mkdirSync(folder, { recursive: true });
  const workspace = makeWorkspace(join(folder, 'rayonnage'));
  const [copy, zip] = [join(workspace, 'copy.sqlite'), join(workspace, 'backup.zip')];
  try {
    const { coverKeys, ...about } = await copyDatabase(realPathOf(databasePath), copy);
    const covers = coverKeys.map((cle) => join(coversPath, cle));
    const contents = { databasePath: copy, covers };
    const manifest = await writeBackup(zip, contents, { date: now.toISOString(), ...about });
    await readBack(zip);
    const name = isNightly ? nameOfNight(now) : `rayonnage-${instantInName(now)}`;
    const path = freePath(join(folder, name), '.zip');
    renameSync(zip, path);
    sync(folder);
    if (isNightly) forgetOldNights(folder, now);
    return { path, bytes: statSync(path).size, manifest };
  } finally {
    removeWorkspace(workspace);
  }
}

async function readBack(path: string): Promise<void> {
  const backup = await openBackup(path);
  try {
    await backup.readThrough();
  } finally {
    backup.close();
  }
}

function lastNight(folder: string, now: Date): number {
  const [newest] = nights(folder, now).made;
  return newest === undefined ? 0 : statSync(join(folder, newest)).mtimeMs;
}

/** Newest first. Those dated after now were made while the clock was ahead. */
function nights(folder: string, now: Date): { made: string[]; ahead: string[] } {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => NIGHT.test(name)) : [];
  const ofNow = nameOfNight(now);
  const { made = [], ahead = [] } = Object.groupBy(names.sort().reverse(), (name) =>
    name.slice(0, ofNow.length) > ofNow ? 'ahead' : 'made',
  );
  return { made, ahead };
}

const nameOfNight = (instant: Date): string => `rayonnage-nuit-${instantInName(instant)}`;

function forgetOldNights(folder: string, now: Date): void {
  const { made, ahead } = nights(folder, now);
  for (const name of [...made, ...ahead].slice(NIGHTS_KEPT))
    rmSync(join(folder, name), { force: true });
}

/** Pages copied before the event loop gets a turn. */
const PAGES_PER_TURN = 1000;

interface Content {
  readonly schema: number;
  readonly livres: number;
  readonly coverKeys: readonly string[];
}

/**
 * Copies a database by SQLite's online backup; a service may write meanwhile. Throws UnusableDatabase where it is none
 * of this service's, InvalidBackup where it is damaged.
 */
async function copyDatabase(path: string, to: string): Promise<Content> {
  if (inspect(path, readMigrations()) === 0)
    throw new Error(`Il n’y a pas de bibliothèque à ${path} : rien à sauvegarder.`);
  const db = openToRead(path);
  try {
    // The read transaction holds one state: without it, every write of the service would start the copy anew.
    db.exec('BEGIN; SELECT 1 FROM sqlite_schema');
    await db.backup(to, { progress: () => PAGES_PER_TURN });
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  makeSelfContained(to);
  verifySound(to);
  return withDatabase(to, readContent);
}

/** Leaves WAL mode, so that the copy is one file wherever it is opened. */
export function makeSelfContained(path: string): void {
  const db = new Sqlite(path);
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Throws InvalidBackup where the database is damaged or its foreign keys are broken. Reads every page. */
export function verifySound(path: string): void {
  try {
    const isSound = withDatabase(
      path,
      (db) =>
        db.pragma('integrity_check', { simple: true }) === 'ok' &&
        db.prepare('PRAGMA foreign_key_check').get() === undefined,
    );
    if (isSound) return;
  } catch (error) {
    const code = error instanceof Sqlite.SqliteError ? error.code : '';
    if (!/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) throw error;
  }
  throw new InvalidBackup('La base de cette sauvegarde est abîmée : elle ne se lit pas en entier.');
}

function withDatabase<T>(path: string, read: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(path, { readonly: true, fileMustExist: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function readContent(db: Sqlite.Database): Content {
  const hasCovers = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'Couverture'").get();
  return {
    schema: schemaOf(db),
    livres: db.prepare<[], number>('SELECT count(*) FROM Livre').pluck().get() ?? 0,
    coverKeys:
      hasCovers === undefined
        ? []
        : db.prepare<[], string>('SELECT cle FROM Couverture ORDER BY cle').pluck().all(),
  };
}

const HOUR_MS = 60 * 60 * 1000;
/** Of the local day, when the service makes its backup. */
const HOUR = 3;
/** An overdue backup is made this long after the start. */
const CATCH_UP_MS = 60 * 1000;

export interface Source {
  readonly databasePath: string;
  readonly coversPath: string;
  readonly folder: string;
}

interface Report {
  readonly done: (path: string) => void;
  readonly failed: (error: unknown) => void;
}

/** Every night at three, and soon after a start where no backup is younger than a day. Returns what ends it. */
export function backUpNightly(source: Source, report: Report): () => void {
  let timer: NodeJS.Timeout | undefined;
  const plan = (delay: number): void => {
    timer = setTimeout(() => void run(), delay).unref();
  };
  const run = async (): Promise<void> => {
    try {
      report.done(await backUpInThread(source));
    } catch (error) {
      report.failed(error);
    }
    if (timer !== undefined) plan(untilNight(new Date()));
  };
  plan(untilFirst(source.folder, new Date(), report));
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

export async function backUpInThread(source: Source): Promise<string> {
  const worker = new Worker(NIGHTLY_BACKUP);
  worker.postMessage(source);
  const ended = once(worker, 'exit').then(() => []);
  // An error of the thread rejects `once`.
  const [path]: string[] = await Promise.race([once(worker, 'message'), ended]);
  if (path === undefined) throw new Error('The thread of the nightly backup has ended');
  return path;
}

function untilFirst(folder: string, now: Date, { failed }: Report): number {
  try {
    if (now.getTime() - lastNight(folder, now) > 24 * HOUR_MS) return CATCH_UP_MS;
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
