import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Database } from '#server/plumbing/database/database';

interface Template {
  readonly bytes: Buffer;
  /** The offsets of the household's id and epoch in the file. */
  readonly drawnAt: readonly number[];
}

let template: Template | undefined;

/**
 * Writes an empty database of the current schema to a new path, with its own household and epoch. Migrating takes 90
 * ms, which almost every test would pay.
 */
export function writeEmptyDatabase(path: string): void {
  if (existsSync(path)) return;
  const { bytes, drawnAt } = (template ??= migrated());
  const copy = Buffer.from(bytes);
  const drawn = randomBytes(16).toString('hex');
  for (const offset of drawnAt) copy.write(drawn, offset);
  writeFileSync(path, copy);
}

/** As long as a random id, and unique in the file. */
const PLACEHOLDER = '?'.repeat(32);

function migrated(): Template {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-'));
  const path = join(folder, 'bibliotheque.sqlite');
  Database.open(path).close();
  const db = new Sqlite(path);
  db.exec('DELETE FROM Installation');
  db.prepare('INSERT INTO Installation (id, epoque, bibliotheque) VALUES (1, @drawn, @drawn)').run({
    drawn: PLACEHOLDER,
  });
  db.pragma('journal_mode = DELETE');
  db.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  const epoch = bytes.indexOf(PLACEHOLDER);
  return { bytes, drawnAt: [epoch, bytes.indexOf(PLACEHOLDER, epoch + PLACEHOLDER.length)] };
}
