import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';

/**
 * Keeps a copy of a database beside it before migration `numero` changes it, as
 * `<name>.avant-NNN.sqlite`; an earlier copy is never overwritten. The copy is whole, what is
 * still in the write-ahead log included, and on the disk when this returns its path.
 */
export function keepCopy(db: Sqlite.Database, path: string, numero: number): string {
  const copy = freeName(path.replace(/\.(?:sqlite3?|db)$/i, ''), numero);
  const unfinished = `${copy}.partiel`;
  rmSync(unfinished, { force: true });
  db.prepare('VACUUM INTO ?').run(unfinished);
  sync(unfinished);
  renameSync(unfinished, copy);
  sync(dirname(copy));
  return copy;
}

function freeName(stem: string, numero: number): string {
  const name = `${stem}.avant-${String(numero).padStart(3, '0')}`;
  for (let attempt = 1; ; attempt++) {
    const path = attempt === 1 ? `${name}.sqlite` : `${name}-${String(attempt)}.sqlite`;
    if (!existsSync(path)) return path;
  }
}

/** Waits until a file, or a folder's list of names, is on the disk. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
