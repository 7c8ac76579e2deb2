import { hash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { FULL, SERVICE_ROWS } from '../support/rows.ts';
import { built, COMPILED } from '../support/process.ts';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { writeBackup } from '#server/plumbing/database/backup/file';
import { addLivreEntry } from '#server/subjects/livres/livres';
import type { Livre } from '#shared/livres';

export interface Household {
  readonly folder: string;
  readonly path: string;
  readonly backups: string;
}

/** A closed household with some books, in its own folder. */
export function makeHousehold(titres: readonly string[] = ['Cent ans de solitude']): Household {
  const folder = temporaryFolder();
  const path = join(folder, 'bibliotheque.sqlite');
  const database = temporaryDatabase(path);
  for (const titre of titres)
    database.write((tx) =>
      addLivreEntry(tx, { titre, format: 'Physique', auteurs: ['Une Autrice'] }, null),
    );
  database.close();
  return { folder, path, backups: join(folder, 'coffre') };
}

/** The titles of the books in a file, read without the service. */
export function titresOf(path: string): string[] {
  const db = new Sqlite(path, { readonly: true });
  try {
    return db.prepare<[], string>('SELECT titre FROM Livre ORDER BY id').pluck().all();
  } finally {
    db.close();
  }
}

/** The digests of a folder's files, except those that a service rewrites by itself. */
export const filesOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { withFileTypes: true })
      .filter((each) => each.isFile() && !/\.lock$|-shm$/.test(each.name))
      .map(({ name }) => [name, hash('sha256', readFileSync(join(folder, name)))]),
  );

interface Ran {
  readonly code: number | null;
  readonly lines: string[];
  readonly error: string;
}

/** Runs a command to its end, as npm does. */
export async function run(
  command: 'backup' | 'restore' | 'accounts',
  args: readonly string[],
  settings: Record<string, string>,
): Promise<Ran> {
  const child = spawn(process.execPath, [built(command), ...args], {
    env: { ...COMPILED, ...settings },
  });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, lines: out.trimEnd().split('\n'), error };
}

/** Uploads a file for a restore. */
export async function upload(url: string, bytes: Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/restauration`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** A backup of a household with these books. */
export const backupOf = async (titres: readonly string[]) => {
  const { path, backups } = makeHousehold(titres);
  return readFileSync((await makeBackup(path, backups)).path);
};

/** The titles of a service's books, in order. */
export const titresAt = async (url: string): Promise<string[]> => {
  const livres = (await (await fetch(`${url}/api/livres`)).json()) as Livre[];
  return livres.map(({ titre }) => titre).sort();
};

/** A household with a row in every table, then changed by SQL, past its triggers on demand. */
export function changed(sql: string, hasTriggers = true): string {
  const path = join(temporaryFolder(), 'bibliotheque.sqlite');
  const database = temporaryDatabase(path);
  database.write((tx) => [...FULL, ...SERVICE_ROWS].forEach((each) => tx.run(each)));
  database.close();
  const db = new Sqlite(path);
  db.unsafeMode();
  db.pragma('journal_mode = DELETE');
  db.pragma('ignore_check_constraints = ON');
  db.pragma('foreign_keys = OFF');
  const triggers = hasTriggers
    ? []
    : db
        .prepare<[], { name: string; sql: string }>(
          "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'",
        )
        .all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`);
  try {
    db.exec(sql);
    for (const trigger of triggers) db.exec(trigger.sql);
  } finally {
    db.close();
  }
  return path;
}

export async function forged(sql: string, hasTriggers = true): Promise<string> {
  const databasePath = changed(sql, hasTriggers);
  const file = join(temporaryFolder(), 'forgee.zip');
  const about = { date: '2026-01-01T00:00:00.000Z', schema: schemaOf(databasePath), livres: 2 };
  await writeBackup(file, { databasePath, covers: [] }, about);
  return file;
}

function schemaOf(path: string): number {
  const db = new Sqlite(path, { readonly: true });
  const schema = Number(db.pragma('user_version', { simple: true }));
  db.close();
  return schema;
}
