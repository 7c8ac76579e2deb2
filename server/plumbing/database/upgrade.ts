import { rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { keepCopy } from './copy.ts';
import { migrate, type Migration } from './migrations.ts';
import { mayWrite } from './disk-errors.ts';
import { UnusableDatabase } from './unusable.ts';

/** What a start has done to a database of an earlier version. */
export interface Upgrade {
  readonly from: number;
  readonly to: number;
  readonly durationMs: number;
  /** The database as it was. */
  readonly copy: string;
}

/**
 * Applies the migrations that a database has not had; `schema` is the number of its last one. A copy of an
 * existing database is kept beside it first; one that is up to date may be read-only. Where a migration fails the
 * database is as it was, and the copy goes again: a service that is started over and over would fill the disk.
 *
 * @param announce told before how long it may take
 */
export function bringUpToDate(
  db: Sqlite.Database,
  path: string,
  schema: number,
  migrations: readonly Migration[],
  announce: (sentence: string) => void,
): Upgrade | null {
  const to = migrations.length;
  if (schema === to && !mayWrite(path)) return null;
  if (schema === 0 || schema >= to) {
    migrate(db, migrations);
    return null;
  }
  const begin = performance.now();
  announce(announcement(db, schema, to));
  const copy = keepCopy(db, path, schema + 1);
  try {
    migrate(db, migrations);
  } catch (error) {
    rmSync(copy, { force: true });
    throw toFailure(error, schema, to);
  }
  return { from: schema, to, durationMs: performance.now() - begin, copy };
}

/**
 * What a database's copy and its migrations take at most on a small machine, a Raspberry Pi with a card of its
 * own, in bytes a second.
 */
const SLOWEST_RATE = 1_000_000;

/** So that nobody ends it. */
function announcement(db: Sqlite.Database, from: number, to: number): string {
  const bytes =
    Number(db.pragma('page_count', { simple: true })) *
    Number(db.pragma('page_size', { simple: true }));
  const minutes = Math.ceil(bytes / SLOWEST_RATE / 60);
  const least = minutes === 1 ? 'une minute' : `${minutes} minutes`;
  return `La base passe du schéma ${from} au ${to} : ${least} au plus, selon la machine. Laissez Rayonnage aller au bout.`;
}

/** A migration that does not fit the data, as opposed to a disk that does not take it. */
function toFailure(error: unknown, from: number, to: number): unknown {
  const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
  if (code !== 'SQLITE_ERROR' && !code.startsWith('SQLITE_CONSTRAINT')) return error;
  const reason = error instanceof Error ? error.message : code;
  return new UnusableDatabase(
    `La base ne passe pas du schéma ${String(from)} au ${String(to)} (${reason}) : elle est restée comme elle était, et la version d’avant de Rayonnage la lit.`,
    error,
  );
}
