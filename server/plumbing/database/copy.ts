import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';

/**
 * Keeps a copy of a database beside it before migration `numero` changes it, as
 * `<name>.avant-NNN.sqlite`; an earlier copy is never overwritten. The copy is whole, what is
 * still in the write-ahead log included, and on the disk when this returns its path.
 */
export function keepCopy(db: Sqlite.Database, path: string, numero: number): string {
  const copy = freePath(`${stemOf(path)}.avant-${String(numero).padStart(3, '0')}`, '.sqlite');
  const unfinished = `${copy}.partiel`;
  rmSync(unfinished, { force: true });
  db.prepare('VACUUM INTO ?').run(unfinished);
  sync(unfinished);
  renameSync(unfinished, copy);
  sync(dirname(copy));
  return copy;
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
