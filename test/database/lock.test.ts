import { mkdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { Database } from '#server/database/database';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { ServerProcess } from '../support/process.ts';

const PROCESSES = 4;
const ROUNDS = 12;

test('a database is opened once, by whatever path, until it is closed', () => {
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
  for (const first of paths) {
    const database = temporaryDatabase(first);
    for (const second of paths) expect(() => Database.open(second)).toThrow(/déjà ouverte/);
    database.close();
  }
});

test('a refused database is let go of', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  expect(() => Database.open(path, [{ numero: 1, nom: 'x', sql: 'non', empreinte: '' }])).toThrow();
  expect(temporaryDatabase(path).revision()).toBe(0);
});

test('a second process is refused in one line, and a killed one is in nobody’s way', async () => {
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

/** Adds a book to a service; its id where it was acknowledged. */
async function addLivre(url: string, titre: string): Promise<number | null> {
  const response = await fetch(`${url}/api/livres?confirmerDoublon=true`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ titre, format: 'Physique' }),
  });
  const { id } = (await response.json()) as { id: number };
  return response.status === 201 ? id : null;
}

test(
  'of several that start together one serves, and no acknowledged book is lost',
  { timeout: 600_000 },
  async () => {
    const settings = { DATABASE_PATH: join(temporaryFolder(), 'maison.sqlite') };
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const servers = Array.from({ length: PROCESSES }, () => new ServerProcess(settings));
      const urls = await Promise.allSettled(servers.map((server) => server.url()));
      const serving = urls.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      expect(serving).toHaveLength(1);
      for (const url of serving)
        for (const letter of ['a', 'b', 'c']) {
          const titre = `Livre ${String(round)} ${letter}`;
          if ((await addLivre(url, titre)) !== null) acknowledged.push(titre);
        }
      // Every other round ends without a word, so that the log is what holds the books.
      const signal = round % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
      await Promise.all(servers.map((server) => server.end(signal)));
    }
    const database = temporaryDatabase(settings.DATABASE_PATH);
    const titles = database
      .prepare<[], { titre: string }>('SELECT titre FROM Livre ORDER BY id')
      .all()
      .map(({ titre }) => titre);
    expect(acknowledged).toHaveLength(ROUNDS * 3);
    expect(titles).toEqual(acknowledged);
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  },
);
