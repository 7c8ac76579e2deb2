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
  readSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DAY_MS } from '#shared/days';

/** Free bytes below which a write may fail: some pages of the log and of its index. */
export const MIN_FREE_BYTES = 65_536;

/** Error codes of a full disk. SQLite writes IOERR for a quota, or a bound of a file's size. */
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
 * Makes a folder and those above it, one by one: Node's own recursion never ends below a folder such as /proc, where
 * every new entry is said not to exist.
 */
export function makeFolder(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) makeFolder(parent);
  if (!isFolder(path)) mkdirSync(path);
}

export const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

export const stemOf = (path: string): string => path.replace(/\.(?:sqlite3?|db)$/i, '');

export function freePath(stem: string, ending: string): string {
  for (let attempt = 1; ; attempt++) {
    const path = `${stem}${attempt === 1 ? '' : `-${String(attempt)}`}${ending}`;
    if (!existsSync(path)) return path;
  }
}

export const instantInName = (instant: Date): string =>
  instant.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');

/** So many bytes, zeros behind the end of a shorter file. */
export function readStart(path: string, length: number): Buffer {
  const start = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    readSync(file, start);
    return start;
  } finally {
    closeSync(file);
  }
}

export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Age at which the leftovers of a killed process are removed. */
const LEFTOVER_MS = DAY_MS;

/**
 * Makes a folder beside a path for unfinished files, which the caller removes. Removes those that a killed process left
 * a day ago.
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

/** Tries again where an interrupted writing still adds a file meanwhile. */
export const removeWorkspace = (workspace: string): void =>
  rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
