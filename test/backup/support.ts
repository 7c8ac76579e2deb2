import { hash } from 'node:crypto';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { built, COMPILED } from '../support/process.ts';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { addLivreEntry } from '#server/subjects/livres/livres';
import type { Livre } from '#shared/livres';

export interface Household {
  readonly folder: string;
  readonly path: string;
  readonly backups: string;
}

/** A household with some books in a folder of its own, whose database is closed again. */
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

/** The titles of the books that stand in a file, read without the service. */
export function titresOf(path: string): string[] {
  const db = new Sqlite(path, { readonly: true });
  try {
    return db.prepare<[], string>('SELECT titre FROM Livre ORDER BY id').pluck().all();
  } finally {
    db.close();
  }
}

/** Every file of a folder with a digest, but for what a service rewrites by itself. */
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

/** Runs a command as npm does, to its end. */
export async function run(
  command: 'backup' | 'restore',
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

/** Sends a file to a service that is to restore it. */
export async function upload(url: string, bytes: Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/restauration`, {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The bytes of a backup of a household with these books. */
export const backupOf = async (titres: readonly string[]) => {
  const { path, backups } = makeHousehold(titres);
  return readFileSync((await makeBackup(path, backups)).path);
};

/** The titles of all books of a service, in their order. */
export const titresAt = async (url: string): Promise<string[]> => {
  const livres = (await (await fetch(`${url}/api/livres`)).json()) as Livre[];
  return livres.map(({ titre }) => titre).sort();
};
