import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Database } from '#server/database/database';

/** A folder of its own for the test that asks, gone with it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database of its own for the test that asks, closed at its end. */
export function temporaryDatabase(path = join(temporaryFolder(), 'bibliotheque.sqlite')): Database {
  const database = Database.open(path);
  onTestFinished(() => database.close());
  return database;
}
