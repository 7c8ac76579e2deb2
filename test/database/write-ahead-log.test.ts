// @module-tag process
import {
  chmodSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
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

/** The books of a database file that was copied without its log. */
function titresOf(path: string): string[] {
  const db = new Sqlite(path, { readonly: true });
  try {
    return db.prepare<[], string>('SELECT titre FROM Livre ORDER BY id').pluck().all();
  } finally {
    db.close();
  }
}

const sizeOfLog = (path: string): number => statSync(`${path}-wal`).size;

/** A service that has added books in turn, each with a checkpoint before the next. */
async function served(path: string, titres: readonly string[]): Promise<ServerProcess> {
  const server = new ServerProcess({ DATABASE_PATH: path });
  const url = await server.url();
  for (const titre of titres) {
    await add(url, titre);
    await expect.poll(() => sizeOfLog(path), { timeout: 5000 }).toBe(0);
  }
  return server;
}

test('a file copied without its log contains the writes of a second before', async () => {
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

test('another household’s file beside the log of a killed service is reported, as is an older file', async () => {
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

  // The message proposes this: without the log, the file is accepted as it is.
  for (const ending of ['-wal', '-shm']) rmSync(path + ending, { force: true });
  const COVERS_PATH = join(folder, 'autres-couvertures');
  await new ServerProcess({ DATABASE_PATH: path, COVERS_PATH }).url();
  expect(titresOf(path)).toEqual(['Dessert']);
});

/** A killed service with « Orlando » in the log and « Nadja » in the file, and a copy of that file. */
async function killed(): Promise<{ path: string; old: string }> {
  const folder = temporaryFolder();
  const [path, old] = [join(folder, 'maison.sqlite'), join(folder, 'ancienne.sqlite')];
  const service = await served(path, ['Nadja']);
  copyFileSync(path, old);
  await add(await service.url(), 'Orlando');
  await service.end('SIGKILL');
  expect(sizeOfLog(path)).toBeGreaterThan(0);
  expect(readFileSync(path)).toEqual(readFileSync(old));
  return { path, old };
}

const PUT_BACK = {
  'copied over it': (old: string, path: string) => copyFileSync(old, path),
  'moved to its place': (old: string, path: string) => renameSync(old, path),
  'copied over it with its times': (old: string, path: string) => {
    const { atime, mtime } = statSync(path);
    copyFileSync(old, path);
    utimesSync(path, atime, mtime);
  },
};

test.each(Object.entries(PUT_BACK))(
  'the file that a log belongs to is reported if it was %s after the service was killed',
  async (_, put) => {
    const { path, old } = await killed();
    put(old, path);
    const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
    const { stderr, code } = await new ServerProcess({ DATABASE_PATH: path }).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/remis en place.*Rien n’a été changé/),
    ]);
    expect(stderr).toContain(`sqlite3 ${path} 'PRAGMA wal_checkpoint(TRUNCATE)'`);
    expect([readFileSync(path), readFileSync(`${path}-wal`)]).toEqual([file, log]);

    // The first of the two proposals of the message.
    for (const ending of ['-wal', '-shm'])
      renameSync(path + ending, join(temporaryFolder(), ending));
    const service = new ServerProcess({ DATABASE_PATH: path });
    await service.url();
    await service.end('SIGTERM');
    expect(titresOf(path)).toEqual(['Nadja']);
  },
);

test('the second proposal of the message keeps the log’s data', async () => {
  const { path, old } = await killed();
  copyFileSync(old, path);
  const { stderr } = await new ServerProcess({ DATABASE_PATH: path }).ended;
  expect(stderr).toMatch(/remis en place/);
  const shell = new Sqlite(path);
  shell.pragma('wal_checkpoint(TRUNCATE)');
  shell.close();
  await new ServerProcess({ DATABASE_PATH: path }).url();
  expect(titresOf(path)).toEqual(['Nadja', 'Orlando']);
});

/** Copies the first page of a log into its file, like an interrupted checkpoint. */
function beginCheckpoint(path: string): void {
  const log = readFileSync(`${path}-wal`);
  const [header, head, pageSize] = [32, 24, log.readUInt32BE(8)];
  const last = new Map<number, number>();
  for (let at = header; at + head <= log.length; at += head + pageSize)
    last.set(log.readUInt32BE(at), at + head);
  const first = Math.min(...last.keys());
  const content = log.subarray(last.get(first), (last.get(first) ?? 0) + pageSize);
  const file = openSync(path, 'r+');
  const before = Buffer.alloc(pageSize);
  readSync(file, before, 0, pageSize, (first - 1) * pageSize);
  expect(content.equals(before)).toBe(false);
  writeSync(file, content, 0, pageSize, (first - 1) * pageSize);
}

const HARMLESS = {
  'nothing else': () => undefined,
  'a new owner or right of all its files': (path: string) => {
    for (const ending of ['', '-wal', '-shm']) chmodSync(path + ending, 0o640);
  },
  'a checkpoint that was cut short': beginCheckpoint,
  'a whole checkpoint that left the log': (path: string) => {
    const shell = new Sqlite(path);
    shell.pragma('wal_checkpoint(FULL)');
    copyFileSync(path, `${path}.kept`);
    copyFileSync(`${path}-wal`, `${path}.kept-wal`);
    shell.close();
    for (const ending of ['', '-wal']) renameSync(`${path}.kept${ending}`, path + ending);
  },
  'a row that another program wrote': (path: string) => {
    const shell = new Sqlite(path);
    shell.exec("UPDATE Livre SET editeur = 'Minuit' WHERE titre = 'Orlando'");
    shell.close();
  },
};

test.each(Object.entries(HARMLESS))('a kill and %s are no replaced file', async (_, harm) => {
  const { path } = await killed();
  harm(path);
  await new ServerProcess({ DATABASE_PATH: path }).url();
  await expect.poll(() => titresOf(path)).toEqual(['Nadja', 'Orlando']);
});

test('a file and its log that were copied together are one database', async () => {
  const { path } = await killed();
  const copy = join(temporaryFolder(), 'maison.sqlite');
  for (const ending of ['', '-wal']) copyFileSync(path + ending, copy + ending);
  await new ServerProcess({ DATABASE_PATH: copy }).url();
  await expect.poll(() => titresOf(copy)).toEqual(['Nadja', 'Orlando']);
});
