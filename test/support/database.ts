import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { COVERS_SITE } from '#shared/couvertures';
import { Database } from '#server/plumbing/database/database';
import { tables } from '#server/start/kinds';
import { writeEmptyDatabase } from './template.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database that is closed after the test. Opens the one at `path` if it exists. */
export function temporaryDatabase(path = join(temporaryFolder(), 'bibliotheque.sqlite')): Database {
  writeEmptyDatabase(path);
  const database = Database.open(path, undefined, { tables, coversUrl: COVERS_SITE });
  onTestFinished(() => database.close());
  return database;
}

/** Runs a PRAGMA on the database's own connection: SQLite executes it while compiling the statement. */
export const pragma = (database: Database, text: string): void =>
  void database.prepare(`PRAGMA ${text}`);

/** Checkpoints a database's WAL; returns 1 if a reader prevents that. */
export function checkpoint(path: string): unknown {
  const beside = new Sqlite(path);
  try {
    return beside.pragma('wal_checkpoint(TRUNCATE)', { simple: true });
  } finally {
    beside.close();
  }
}
