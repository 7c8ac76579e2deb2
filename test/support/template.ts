import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Database } from '#server/plumbing/database/database';

let template: Buffer | undefined;

/**
 * Writes an empty database of the present schema to a path where none is yet: a household and an epoch of its own.
 * Migrating takes 90 ms, for which nearly every test would wait.
 */
export function writeEmptyDatabase(path: string): void {
  if (existsSync(path)) return;
  writeFileSync(path, (template ??= migrated()));
  const db = new Sqlite(path);
  const drawn = randomBytes(16).toString('hex');
  db.prepare('INSERT INTO Installation (id, epoque, bibliotheque) VALUES (1, @drawn, @drawn)').run({
    drawn,
  });
  db.close();
}

function migrated(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  const path = join(folder, 'bibliotheque.sqlite');
  Database.open(path).close();
  const db = new Sqlite(path);
  db.exec('DELETE FROM Installation');
  db.pragma('journal_mode = DELETE');
  db.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}
