import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { COVERS_SITE } from '#shared/couvertures';
import { Database } from '#server/plumbing/database/database';
import { tables } from '#server/start/kinds';
import { writeEmptyDatabase } from './template.ts';

/** A folder of its own for the test that asks, gone with it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database of its own for the test that asks, closed at its end; at `path`, one that is there is opened. */
export function temporaryDatabase(path = join(temporaryFolder(), 'bibliotheque.sqlite')): Database {
  writeEmptyDatabase(path);
  const database = Database.open(path, undefined, { tables, coversUrl: COVERS_SITE });
  onTestFinished(() => database.close());
  return database;
}

/** Sets a PRAGMA of a database's own connection: SQLite does it as it is compiled. */
export const pragma = (database: Database, text: string): void =>
  void database.prepare(`PRAGMA ${text}`);

/** Has the log of a database written into its file, and gives 1 where a reader holds that up. */
export function checkpoint(path: string): unknown {
  const beside = new Sqlite(path);
  try {
    return beside.pragma('wal_checkpoint(TRUNCATE)', { simple: true });
  } finally {
    beside.close();
  }
}
