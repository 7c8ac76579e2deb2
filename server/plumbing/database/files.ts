import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Free bytes below which a write may fail: some pages of the log and its index. */
export const MIN_FREE_BYTES = 65_536;

/** Error codes of a full disk, of the system and of SQLite, which writes so over a quota or a bound of a file's size. */
export const FULL =
  /^(?:ENOSPC|EDQUOT|EFBIG|SQLITE_FULL|SQLITE_IOERR_(?:WRITE|TRUNCATE|SHMSIZE|SHMMAP))$/;

export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && FULL.test(String(Reflect.get(error, 'code')));

export const isAlmostFull = (folder: string): boolean => freeBytes(folder) < MIN_FREE_BYTES;

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
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

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

export const stemOf = (path: string): string => path.replace(/\.(?:sqlite3?|db)$/i, '');

/** A path that nothing has: `<stem><ending>`, or `<stem>-2<ending>` and so on. */
export function freePath(stem: string, ending: string): string {
  for (let attempt = 1; ; attempt++) {
    const path = `${stem}${attempt === 1 ? '' : `-${String(attempt)}`}${ending}`;
    if (!existsSync(path)) return path;
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
