import {
  accessSync,
  chownSync,
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
import { codeOf, FULL } from '#server/plumbing/common/system-errors';

/** Free bytes below which a write may fail: some pages of the log and of its index. */
export const MIN_FREE_BYTES = 65_536;

export const isFullDisk = (error: unknown): boolean => FULL.test(codeOf(error));

/** A file system without blocks, such as /proc, has no room to speak of. */
export const isAlmostFull = (folder: string): boolean =>
  freeBytes(folder) < MIN_FREE_BYTES && statfsSync(folder).blocks > 0;

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
 * Creates a folder and its parents one by one: Node's recursive mkdir never ends below a folder such as /proc, where
 * each new entry is reported missing.
 */
export function makeFolder(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent) && parent !== path) makeFolder(parent);
  if (isFolder(path)) return;
  mkdirSync(path);
  giveToOwnerOfFolder(path);
}

/** Gives what a command of root has made to the owner of the folder around it: the service under that account reads it. */
export function giveToOwnerOfFolder(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0 || statSync(path).uid === uid) return;
  chownSync(path, uid, gid);
}

/** False for a path that cannot be looked at. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export const stemOf = (path: string): string => path.replace(/\.(?:sqlite3?|db)$/i, '');

export function freePath(stem: string, ending: string): string {
  for (let attempt = 1; ; attempt++) {
    const path = `${stem}${attempt === 1 ? '' : `-${String(attempt)}`}${ending}`;
    if (!existsSync(path)) return path;
  }
}

export const instantInName = (instant: Date): string =>
  instant.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');

/** Reads the first bytes of a file, padded with zeros. */
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

const WORKSPACE = '.partiel-';
/** Age after which a workspace counts as abandoned, even if a process has its number. */
const LEFTOVER_MS = DAY_MS;

/** Creates a folder beside a path for unfinished files, which the caller removes. Removes those of ended processes. */
export function makeWorkspace(path: string): string {
  makeFolder(dirname(path));
  removeLeftovers(path);
  const prefix = `${basename(path)}${WORKSPACE}${process.pid}-`;
  return mkdtempSync(join(dirname(path), prefix));
}

/** Removes the workspaces beside a path whose processes have ended. */
export function removeLeftovers(path: string): void {
  const [folder, prefix] = [dirname(path), basename(path) + WORKSPACE];
  if (!isFolder(folder)) return;
  for (const name of readdirSync(folder).filter((each) => each.startsWith(prefix))) {
    const { mtimeMs = Infinity } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    const isOld = Date.now() - mtimeMs > LEFTOVER_MS;
    if (isOld || hasEnded(Number.parseInt(name.slice(prefix.length), 10), mtimeMs))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** @param since when the process was alive: in a container the next process has the same number */
function hasEnded(pid: number, since: number): boolean {
  if (!Number.isInteger(pid)) return false;
  if (pid === process.pid) return since < Date.now() - process.uptime() * 1000;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && Reflect.get(error, 'code') === 'ESRCH';
  }
}

/** Tries again where an interrupted writing still adds a file meanwhile. */
export const removeWorkspace = (workspace: string): void =>
  rmSync(workspace, { recursive: true, force: true, maxRetries: 5 });
