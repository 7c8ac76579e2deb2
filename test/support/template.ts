import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Database } from '#server/plumbing/database/database';

interface Template {
  readonly bytes: Buffer;
  /** Where the file has the household's id and its epoch. */
  readonly drawnAt: readonly number[];
}

let template: Template | undefined;

/**
 * Writes an empty database of the present schema to a path where none is yet: a household and an epoch of its own.
 * Migrating takes 90 ms, for which nearly every test would wait.
 */
export function writeEmptyDatabase(path: string): void {
  if (existsSync(path)) return;
  const { bytes, drawnAt } = (template ??= migrated());
  const copy = Buffer.from(bytes);
  const drawn = randomBytes(16).toString('hex');
  for (const offset of drawnAt) copy.write(drawn, offset);
  writeFileSync(path, copy);
}

/** As long as what is drawn, and nowhere else in the file. */
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
