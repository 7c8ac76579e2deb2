import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { UnusableDatabase } from './unusable.ts';

/** Free bytes below which a write may fail: some pages of the log and its index. */
export const MIN_FREE_BYTES = 65_536;

/** Error codes of a full disk, of the system and of SQLite. */
const FULL =
  /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_(?:WRITE|FSYNC|TRUNCATE|SHMSIZE|SHMMAP))$/;

/** Tells whether a write failed because the disk is full or takes nothing any more. */
export const isDiskFailure = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(?:FULL|IOERR)/.test(error.code);

/** Tells whether a file was not written because its disk takes nothing more. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && FULL.test(String(Reflect.get(error, 'code')));

/** Tells whether the disk that a folder is on has hardly any room left. */
export function isAlmostFull(folder: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < MIN_FREE_BYTES;
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

/** What keeps a database from being opened, in one line for whoever starts the service. */
export function toUnusable(path: string, error: unknown): UnusableDatabase {
  if (error instanceof UnusableDatabase) return error;
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
  const folder = dirname(path);
  if (isFolder(path) || code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return new UnusableDatabase(`${path} n’est pas une base de données lisible.`, error);
  if (isDiskFull(code, folder))
    return new UnusableDatabase(
      `Le disque est plein ou n’accepte plus d’écriture : ${folder} n’a plus de place pour la base.`,
      error,
    );
  if (isReadOnly(code, path))
    return new UnusableDatabase(
      `Rayonnage n’a pas le droit d’écrire dans ${folder}, où il garde sa base.`,
      error,
    );
  if (code === 'ENOENT')
    return new UnusableDatabase(`Le dossier ${folder} ne peut pas être créé.`, error);
  const reason = error instanceof Error ? error.message : String(error);
  return new UnusableDatabase(`La base ${path} ne s’ouvre pas (${reason}).`, error);
}

function isDiskFull(code: string, folder: string): boolean {
  if (FULL.test(code)) return true;
  try {
    return code.startsWith('SQLITE_CANTOPEN') && isAlmostFull(folder);
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
