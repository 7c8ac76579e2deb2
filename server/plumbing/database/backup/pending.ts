import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { freePath, instantInName, stemOf, sync } from '../files.ts';

// A restored database waits beside the one that it replaces. The file is on the disk before the restore is
// acknowledged, so that a killed service starts with it.

const COMPANIONS = ['', '-wal', '-shm'] as const;

const pendingOf = (path: string): string => `${path}.restauree`;

export function layReady(fresh: string, path: string): void {
  renameSync(fresh, pendingOf(path));
  sync(dirname(path));
}

export function withdraw(path: string): void {
  rmSync(pendingOf(path), { force: true });
  sync(dirname(path));
}

/**
 * Puts a pending database in place and returns the path of the old one; `null` without a pending or an old one. The
 * old one must not be open. At every moment the path has one complete database.
 */
export function putPending(path: string): string | null {
  if (!existsSync(pendingOf(path))) return null;
  const kept = keep(path);
  renameSync(pendingOf(path), path);
  sync(dirname(path));
  return kept;
}

function keep(path: string): string | null {
  if (!existsSync(path)) return null;
  foldLog(path);
  const kept = freeName(stemOf(path), '.sqlite');
  for (const companion of COMPANIONS)
    if (existsSync(path + companion)) giveName(path + companion, kept + companion);
  sync(dirname(path));
  // SQLite would apply the log of the old database to the new one.
  for (const companion of COMPANIONS.slice(1)) rmSync(path + companion, { force: true });
  return kept;
}

function foldLog(path: string): void {
  let db: Sqlite.Database | undefined;
  try {
    db = new Sqlite(path, { fileMustExist: true });
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    // An unreadable database is moved as it is: it may be the reason for the restore.
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

export const freeName = (stem: string, ending: string): string =>
  freePath(`${stem}.remplacee-${instantInName(new Date())}`, ending);
