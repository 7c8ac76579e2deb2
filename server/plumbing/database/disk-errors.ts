import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Refusal } from '#shared/refusals';

/**
 * A database that the service will not open. The message is one line for whoever starts the
 * service; the file is as it was.
 */
export class UnusableDatabase extends Error {
  /** The setting that is wrong. */
  readonly setting: 'DATABASE_PATH' | 'TMPDIR' = 'DATABASE_PATH';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnusableDatabase';
  }
}

/** A household's database that is damaged: the service stands still until it is mended or replaced. */
export class DamagedDatabase extends UnusableDatabase {}

/** SQLite has no folder for what it writes beside a database while it works. */
class NoTemporaryFolder extends UnusableDatabase {
  override readonly setting = 'TMPDIR';
}

/** Free bytes below which a write may fail: some pages of the log and its index. */
export const MIN_FREE_BYTES = 65_536;

/** Error codes of a full disk, of the system and of SQLite, which writes so over a quota or a bound of a file's size. */
const FULL = /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_(?:WRITE|TRUNCATE|SHMSIZE|SHMMAP))$/;

/**
 * The refusal that a failed write amounts to, where the disk is at fault: it is full, it fails, or the file or its
 * folder refuses writes. `null` for any other failure, that of a disk which the system has made read-only included.
 */
export function diskRefusal(error: unknown, folder: string): Refusal | null {
  if (!(error instanceof Sqlite.SqliteError)) return null;
  const { code } = error;
  if (!/^SQLITE_(?:FULL|IOERR|READONLY(?!_DBMOVED))/.test(code)) return null;
  const refusal = new Refusal(refusalCodeOf(code, folder));
  refusal.cause = error;
  return refusal;
}

function refusalCodeOf(code: string, folder: string) {
  const takesFiles = code === 'SQLITE_FULL' || mayWrite(folder);
  if (code.startsWith('SQLITE_READONLY') || !takesFiles) return 'BASE_EN_LECTURE_SEULE';
  return FULL.test(code) || isAlmostFull(folder) ? 'DISQUE_PLEIN' : 'DISQUE_EN_PANNE';
}

/** Whether this process may write to a file or a folder that is there. */
export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Gives the log of a database its rights: SQLite made it with those of then, which may have been for reading only. */
export function giveLogRights(path: string): void {
  if (!existsSync(path) || !mayWrite(path)) return;
  for (const companion of [`${path}-wal`, `${path}-shm`])
    if (existsSync(companion) && !mayWrite(companion)) chmodSync(companion, statSync(path).mode);
}

/** Tells whether a file was not written because its disk takes nothing more. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && FULL.test(String(Reflect.get(error, 'code')));

/** Tells whether the disk that a folder is on has hardly any room left. */
export const isAlmostFull = (folder: string): boolean => freeBytes(folder) < MIN_FREE_BYTES;

/** How much more the disk that a folder is on takes, in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Makes a folder and those above it, one by one: Node's own recursion never ends below a folder such
 * as /proc, which says of every new entry that it does not exist.
 */
export function makeFolder(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) makeFolder(parent);
  if (!isFolder(path)) mkdirSync(path);
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Tells an error of the database itself from one of whoever works with it. */
export const isOfDatabase = (error: unknown): boolean => error instanceof Sqlite.SqliteError;

/** The folders of which SQLite takes the first that it may write to, for what does not fit its memory. */
const temporaryFolders = (): string[] => [tmpdir(), '/var/tmp', '/usr/tmp', '/tmp', '.'];

/**
 * What keeps a database from being opened, in one line for whoever starts the service.
 *
 * @param isKnown whether a service had the file before
 * @param temporary the folders that SQLite tries for its temporary files
 */
export function toUnusable(
  path: string,
  error: unknown,
  isKnown = false,
  temporary: readonly string[] = temporaryFolders(),
): UnusableDatabase {
  if (error instanceof UnusableDatabase) return error;
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
  const folder = dirname(path);
  if (code.startsWith('SQLITE_CORRUPT') || (code === 'SQLITE_NOTADB' && isKnown))
    return damaged(path, error);
  if (isFolder(path) || code === 'SQLITE_NOTADB')
    return new UnusableDatabase(`${path} n’est pas une base de données lisible.`, error);
  if (isDiskFull(code, folder))
    return new UnusableDatabase(
      `Le disque est plein ou n’accepte plus d’écriture : ${folder} n’a plus de place pour la base.`,
      error,
    );
  if (code.startsWith('SQLITE_IOERR') && code !== 'SQLITE_IOERR_GETTEMPPATH')
    return new UnusableDatabase(
      `Le disque de ${folder} rend des erreurs : la base ${path} ne s’ouvre pas.`,
      error,
    );
  const foreign = foreignFile(path);
  if (foreign !== null) return new UnusableDatabase(foreign, error);
  if (isReadOnly(code, path))
    return new UnusableDatabase(
      `Rayonnage n’a pas le droit d’écrire dans ${folder}, où il garde sa base.`,
      error,
    );
  if (/^SQLITE_(?:CANTOPEN|IOERR_GETTEMPPATH)/.test(code) && !temporary.some(mayWrite))
    return new NoTemporaryFolder(
      `aucun dossier ne prend les fichiers temporaires dont SQLite a besoin, ni ${temporary[0] ?? ''}, ni /var/tmp, ni /tmp.`,
      error,
    );
  if (code === 'ENOENT')
    return new UnusableDatabase(`Le dossier ${folder} ne peut pas être créé.`, error);
  const reason = error instanceof Error ? error.message : String(error);
  return new UnusableDatabase(`La base ${path} ne s’ouvre pas (${reason}).`, error);
}

/**
 * What is told of a database that this account may not write because another one owns it, as root does after a restore;
 * `null` for any other.
 */
export function foreignFile(path: string): string | null {
  const [own, group] = [process.getuid?.(), process.getgid?.()];
  const owner = ownerOf(path);
  if (owner === undefined || own === undefined || owner === own || mayWrite(path)) return null;
  const folder = realpathSync(dirname(path));
  return `${path} appartient à un autre compte, comme après une commande lancée par root. Rendez ses fichiers au service : sudo chown -R ${own}:${String(group)} ${folder}`;
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined; // not there, or in a folder that nobody else may enter
  }
}

/** What the operator of a damaged database is told; the service takes up again what they put in its place. */
export const damaged = (path: string, cause?: unknown): DamagedDatabase =>
  new DamagedDatabase(
    `La base ${path} est abîmée : rien n’y est changé, rien n’en est montré. Remettez une sauvegarde en place (« restore »).`,
    cause,
  );

function isDiskFull(code: string, folder: string): boolean {
  if (FULL.test(code)) return true;
  try {
    return /^SQLITE_(?:CANTOPEN|IOERR)/.test(code) && isAlmostFull(folder);
  } catch {
    return false;
  }
}

function isReadOnly(code: string, path: string): boolean {
  if (['EACCES', 'EROFS', 'EPERM'].includes(code)) return true;
  if (!/^SQLITE_(?:READONLY|CANTOPEN|PERM|AUTH)/.test(code)) return false;
  return [dirname(path), path].some((each) => {
    try {
      accessSync(each, constants.W_OK);
      return false;
    } catch (error) {
      return error instanceof Error && Reflect.get(error, 'code') !== 'ENOENT';
    }
  });
}

/** The path of a database without its ending. */
export const stemOf = (path: string): string => path.replace(/\.(?:sqlite3?|db)$/i, '');

/** A path that nothing has: `<stem><ending>`, or `<stem>-2<ending>` and so on. */
export function freePath(
  stem: string,
  ending: string,
  isTaken: (path: string) => boolean = existsSync,
): string {
  for (let attempt = 1; ; attempt++) {
    const path = `${stem}${attempt === 1 ? '' : `-${String(attempt)}`}${ending}`;
    if (!isTaken(path)) return path;
  }
}

/** An instant as a part of a file's name: `2026-11-20T03-00-00Z`. */
export const instantInName = (instant: Date): string =>
  instant.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');

/** Waits until a file, or a folder's list of names, is on the disk. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Age at which what an interrupted process has left is removed. */
const LEFTOVER_MS = 24 * 60 * 60 * 1000;

/**
 * Makes a folder beside a path for what is not finished yet, whose name begins as that of the path; no two share
 * one, and the folders above it are made. The caller removes it; what a killed process left a day ago goes now.
 */
export function makeWorkspace(path: string): string {
  const [folder, prefix] = [dirname(path), `${basename(path)}.partiel-`];
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder).filter((each) => each.startsWith(prefix))) {
    const { mtimeMs = Infinity } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > LEFTOVER_MS)
      rmSync(join(folder, name), { recursive: true, force: true });
  }
  return mkdtempSync(join(folder, prefix));
}

/** Removes such a folder, where a file may still come of a writing that was broken off. */
export const removeWorkspace = (workspace: string): void =>
  rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
