import { rmSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { keepCopy } from './copy.ts';
import { migrate, schemaOf, type Migration } from './migrations.ts';

/**
 * Applies the migrations that a database has not had; `schema` is the number of its last one. A
 * copy of an existing database is kept beside it first. It goes again when nothing was applied,
 * or a service that is started over and over would fill the disk with them.
 */
export function bringUpToDate(
  db: Sqlite.Database,
  path: string,
  schema: number,
  migrations: readonly Migration[],
): void {
  const copy = schema > 0 && schema < migrations.length ? keepCopy(db, path, schema + 1) : null;
  try {
    migrate(db, migrations);
  } catch (error) {
    if (copy !== null && schemaOf(db) === schema) rmSync(copy, { force: true });
    throw error;
  }
}
