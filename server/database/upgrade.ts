import { rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { keepCopy } from './copy.ts';
import { migrate, type Migration } from './migrations.ts';
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
 * Applies the migrations that a database has not had; `schema` is the number of its last one. A
 * copy of an existing database is kept beside it first. Where one of them fails the database is as it was, and the
 * copy goes again: a service that is started over and over would fill the disk with them.
 */
export function bringUpToDate(
  db: Sqlite.Database,
  path: string,
  schema: number,
  migrations: readonly Migration[],
): Upgrade | null {
  const to = migrations.length;
  if (schema === 0 || schema >= to) {
    migrate(db, migrations);
    return null;
  }
  const begin = performance.now();
  const copy = keepCopy(db, path, schema + 1);
  try {
    migrate(db, migrations);
  } catch (error) {
    rmSync(copy, { force: true });
    throw toFailure(error, schema, to);
  }
  return { from: schema, to, durationMs: performance.now() - begin, copy };
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
