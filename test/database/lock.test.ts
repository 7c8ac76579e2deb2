// @module-tag process
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { Database } from '#server/plumbing/database/database';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { COMPILED, ServerProcess } from '../support/process.ts';
import { runs } from '../support/random.ts';

const PROCESSES = 4;
const ROUNDS = runs(6);

test('a database is opened only once, by any path', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'maison.sqlite');
  mkdirSync(join(folder, 'ailleurs'));
  symlinkSync(path, join(folder, 'lien.sqlite'));
  symlinkSync(folder, join(folder, 'ailleurs', 'dossier'));
  const paths = [
    path,
    relative(process.cwd(), path),
    join(folder, 'lien.sqlite'),
    join(folder, 'ailleurs', 'dossier', 'lien.sqlite'),
  ];
  // Each path is once the first and once the second: a refusal takes a second, waiting for the other process to end.
  for (const [index, first] of paths.entries()) {
    const database = temporaryDatabase(first);
    expect(() => Database.open(paths[index + 1] ?? path)).toThrow(/déjà ouverte/);
    database.close();
  }
});

test('a database is opened once by hard links, too', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const link = join(temporaryFolder(), 'autre.sqlite');
  const database = temporaryDatabase(path);
  linkSync(path, link);
  expect(() => Database.open(link)).toThrow(/déjà ouverte/);
  database.close();
  expect(temporaryDatabase(link).revision()).toBe(0);
});

test('a refused database is let go of', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  expect(() => Database.open(path, [{ numero: 1, nom: 'x', sql: 'non', empreinte: '' }])).toThrow();
  expect(temporaryDatabase(path).revision()).toBe(0);
});

test('a second process on one database is refused in words', async () => {
  const settings = { DATABASE_PATH: join(temporaryFolder(), 'maison.sqlite') };
  const first = new ServerProcess(settings);
  await first.url();
  const { code, stdout, stderr } = await new ServerProcess(settings).ended;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^Réglage DATABASE_PATH : .*déjà ouverte.*\n$/);
  await first.end('SIGKILL');
  const next = new ServerProcess(settings);
  expect(await next.url()).toMatch(/^http/);
  await next.end('SIGTERM');
});

const WRITER = fileURLToPath(new URL('../support/writer.ts', import.meta.url));

/** A process that opens the database on demand. */
function startWriter(path: string) {
  const child = spawn(process.execPath, [WRITER, path], {
    env: COMPILED,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ask = async (line: string): Promise<unknown> => {
    child.stdin.write(`${line}\n`);
    return (await lines.next()).value;
  };
  return {
    /** Resolves with true if the process has opened the database. */
    open: async (): Promise<boolean> => (await ask('open')) === 'open',
    /** Adds a book; resolves with its title once it is stored. */
    add: ask,
    async end(signal: NodeJS.Signals): Promise<void> {
      child.kill(signal);
      await ended;
    },
  };
}

test('among simultaneous openers only one has the database', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const acknowledged: unknown[] = [];
  // The refused processes try again, beside a new one.
  const writers = new Set<ReturnType<typeof startWriter>>();
  for (let round = 0; round < ROUNDS; round++) {
    while (writers.size < PROCESSES) writers.add(startWriter(path));
    const tries = await Promise.all(
      [...writers].map(async (writer) => ({ writer, isOpen: await writer.open() })),
    );
    const open = tries.filter(({ isOpen }) => isOpen);
    expect(open).toHaveLength(1);
    for (const { writer } of open) {
      for (const letter of ['a', 'b', 'c'])
        acknowledged.push(await writer.add(`Livre ${String(round)} ${letter}`));
      // Every other process is killed, so that the books are only in the log.
      await writer.end(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      writers.delete(writer);
    }
  }
  const database = temporaryDatabase(path);
  const titles = database
    .prepare<[], { titre: string }>('SELECT titre FROM Livre ORDER BY id')
    .all()
    .map(({ titre }) => titre);
  expect(acknowledged).toHaveLength(ROUNDS * 3);
  expect(titles).toEqual(acknowledged);
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
});
