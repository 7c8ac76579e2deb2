// @module-tag process
import { copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { ServerProcess } from '../support/process.ts';

async function add(url: string, titre: string): Promise<void> {
  const response = await fetch(`${url}/api/livres`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ titre, format: 'Physique' }),
  });
  expect(response.status).toBe(201);
}

/** The books of a database file that was copied alone. */
function titresOf(path: string): string[] {
  const db = new Sqlite(path, { readonly: true });
  try {
    return db.prepare<[], string>('SELECT titre FROM Livre ORDER BY id').pluck().all();
  } finally {
    db.close();
  }
}

const sizeOfLog = (path: string): number => statSync(`${path}-wal`).size;

/** A service that has added books one after the other, each into the file before the next. */
async function served(path: string, titres: readonly string[]): Promise<ServerProcess> {
  const server = new ServerProcess({ DATABASE_PATH: path });
  const url = await server.url();
  for (const titre of titres) {
    await add(url, titre);
    await expect.poll(() => sizeOfLog(path), { timeout: 5000 }).toBe(0);
  }
  return server;
}

test('a file that is copied alone holds what was written a second before', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  await served(path, ['Nadja', 'Orlando']);
  const copy = join(folder, 'copie.sqlite');
  copyFileSync(path, copy);
  expect(titresOf(copy)).toEqual(['Nadja', 'Orlando']);
});

test('a reader of the file keeps the log from being emptied only as long as it reads', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const server = await served(path, ['Nadja']);
  const reader = new Sqlite(path, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM Livre').get();
  await add(await server.url(), 'Orlando');
  const copy = `${path}.partiel`;
  reader.exec('ROLLBACK');
  reader.close();
  await expect.poll(() => sizeOfLog(path), { timeout: 10_000 }).toBe(0);
  copyFileSync(path, copy);
  expect(titresOf(copy)).toEqual(['Nadja', 'Orlando']);
});

test('another household’s file beside the log of a killed service is told, as is an older one', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  const old = join(folder, 'ancienne.sqlite');
  const foreign = join(temporaryFolder(), 'autre.sqlite');
  const other = await served(foreign, ['Dessert']);
  await other.end('SIGTERM');
  const first = await served(path, ['Nadja']);
  copyFileSync(path, old);
  const url = await first.url();
  await add(url, 'Orlando');
  await expect.poll(() => sizeOfLog(path), { timeout: 5000 }).toBe(0);
  await add(url, 'Désert');
  await first.end('SIGKILL');
  expect(sizeOfLog(path)).toBeGreaterThan(0);
  const log = readFileSync(`${path}-wal`);

  for (const file of [old, foreign]) {
    copyFileSync(file, path);
    const { stderr } = await new ServerProcess({ DATABASE_PATH: path }).ended;
    expect(stderr).toMatch(/ne vont pas ensemble.*Rien n’a été changé/);
    expect(readFileSync(path)).toEqual(readFileSync(file));
    expect(readFileSync(`${path}-wal`)).toEqual(log);
    expect(existsSync(`${path}.partiel`)).toBe(false);
  }

  // As the message says: with the log put away the file is taken as it is.
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
  const COVERS_PATH = join(folder, 'autres-couvertures');
  await new ServerProcess({ DATABASE_PATH: path, COVERS_PATH }).url();
  expect(titresOf(path)).toEqual(['Dessert']);
});
