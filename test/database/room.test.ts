import {
  chmodSync,
  chownSync,
  mkdirSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { diskRefusal } from '#server/plumbing/database/database';
import { toUnusable } from '#server/plumbing/database/unusable';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { openHouse, type House } from '../support/house.ts';
import { NOBODY, startLimited } from '../support/limited.ts';

const addLivre = (house: House, titre: string) =>
  house.ask(null, 'POST', '/api/livres', { titre, format: 'Physique' });

/** Limits a database to its present size, or removes the limit. */
function limitPages({ context: { database } }: House, more: number): void {
  const { page_count: count } = database
    .prepare<[], { page_count: number }>('PRAGMA page_count')
    .get() ?? {
    page_count: 0,
  };
  database.prepare(`PRAGMA max_page_count = ${String(count + more)}`).get();
}

/** Adds books until the disk is full; returns the number of acknowledged ones, and the first other response. */
async function fill(
  house: House,
): Promise<{ added: number; refused: Awaited<ReturnType<typeof addLivre>> }> {
  for (let added = 0; ; added++) {
    const answer = await addLivre(house, `${'x'.repeat(400)} ${String(added)}`);
    if (answer.status !== 201) return { added, refused: answer };
  }
}

test('a write without space is refused completely as « DISQUE_PLEIN »', async () => {
  const house = await openHouse();
  const health = () => house.ask(null, 'GET', '/api/sante');
  limitPages(house, 0);
  const { added, refused } = await fill(house);
  expect(refused).toMatchObject({ status: 507, body: { code: 'DISQUE_PLEIN' } });
  expect((await house.ask(null, 'GET', '/api/livres')).body).toHaveLength(added);

  limitPages(house, 1000);
  expect(await health()).toMatchObject({ status: 200 });
  expect((await addLivre(house, 'Après')).status).toBe(201);
});

test('a write that writes nothing makes no full disk a sound one', async () => {
  const house = await openHouse();
  limitPages(house, 0);
  await fill(house);
  expect((await house.ask(null, 'DELETE', '/api/livres/9999')).status).toBe(404);
  expect(await house.ask(null, 'GET', '/api/sante')).toMatchObject({
    status: 503,
    body: { code: 'DISQUE_PLEIN' },
  });
});

test.each([
  ['SQLITE_FULL', 'DISQUE_PLEIN'],
  // A quota, or a limit on file sizes.
  ['SQLITE_IOERR_WRITE', 'DISQUE_PLEIN'],
  ['SQLITE_IOERR_SHMSIZE', 'DISQUE_PLEIN'],
  ['SQLITE_IOERR_FSYNC', 'DISQUE_EN_PANNE'],
  ['SQLITE_IOERR_DIR_FSYNC', 'DISQUE_EN_PANNE'],
  ['SQLITE_IOERR_READ', 'DISQUE_EN_PANNE'],
])('a write that ends with %s is refused as %s', (code, refusal) => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const error = new Sqlite.SqliteError('disk I/O error', code);
  expect(diskRefusal(error, dirname(path))).toMatchObject({ code: refusal });
  expect(toUnusable(path, error).message.startsWith('Le disque est plein')).toBe(
    refusal === 'DISQUE_PLEIN',
  );
});

test('a failed write for another reason reports no full disk', () => {
  const database = temporaryDatabase();
  expect(() =>
    database.write(() => {
      throw new Error('non');
    }),
  ).toThrow('non');
  database.verify();
  expect(database.write(() => 'oui')).toBe('oui');
});

test.each(['', '-wal'])(
  'a database whose file « %s » was deleted refuses writes',
  async (suffix) => {
    const path = join(temporaryFolder(), 'maison.sqlite');
    const house = await openHouse(path);
    await addLivre(house, 'Sido');
    expect((await house.ask(null, 'GET', '/api/sante')).status).toBe(200);
    renameSync(path + suffix, `${path}.ailleurs`);
    expect((await house.ask(null, 'GET', '/api/sante')).status).toBe(503);
    expect((await addLivre(house, 'Chéri')).status).toBe(503);
    // A large write would run in a thread, which opens the file anew.
    const places = Array.from({ length: 150 }, (_, n) => ({ titre: `Tome ${String(n)}` }));
    const serie = await house.ask(null, 'POST', '/api/series', { titre: 'Claudine', places });
    expect(serie.status).toBe(503);
    writeFileSync(path + suffix, '');
    expect((await house.ask(null, 'GET', '/api/sante')).status).toBe(503);
    rmSync(path + suffix);
    renameSync(`${path}.ailleurs`, path + suffix);
    expect((await house.ask(null, 'GET', '/api/sante')).status).toBe(200);
  },
);

test('a disk that fills up under a service loses nothing', { tags: 'process' }, async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const url = await startLimited(path, { fileBlocks: 1200 });
  const add = (titre: string) =>
    fetch(`${url}/api/livres`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ titre, format: 'Physique', editeur: 'x'.repeat(200) }),
    });
  let added = 0;
  let answer = await add('0');
  while (answer.status === 201) answer = await add(`${'y'.repeat(490)} ${String(++added)}`);
  expect([answer.status, await answer.json()]).toMatchObject([507, { code: 'DISQUE_PLEIN' }]);
  const health = await fetch(`${url}/api/sante`);
  expect([health.status, await health.json()]).toMatchObject([503, { code: 'DISQUE_PLEIN' }]);
  const livres = (await (await fetch(`${url}/api/livres`)).json()) as unknown[];
  expect(livres).toHaveLength(added);
});

test('a start on a full disk names that cause', { tags: 'process' }, async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  expect(await startLimited(path, { fileBlocks: 8 })).toMatch(
    /^Réglage DATABASE_PATH : Le disque est plein.*\n$/,
  );
});

test.each(['an existing database', 'none'])(
  'a folder without write permission, with %s, is named',
  { tags: 'process' },
  async (what) => {
    const folder = temporaryFolder();
    const path = join(folder, 'maison.sqlite');
    if (what !== 'none') temporaryDatabase(path).close();
    if (process.getuid?.() === 0)
      for (const name of ['.', ...readdirSync(folder)])
        chownSync(join(folder, name), NOBODY, NOBODY);
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));
    const output = await startLimited(path, { asNobody: true });
    expect(output).toMatch(
      /^Réglage DATABASE_PATH : Rayonnage n’a pas le droit d’écrire dans .*\n$/,
    );
    expect(existsSync(`${path}-wal`)).toBe(false);
  },
);

test.runIf(process.getuid?.() === 0)(
  'files of root are named with the command to mend',
  { tags: 'process' },
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'maison.sqlite');
    temporaryDatabase(path).close();
    chmodSync(path, 0o600);
    chownSync(folder, NOBODY, NOBODY);
    const output = await startLimited(path, { asNobody: true });
    expect(output).toContain(`sudo chown -R ${NOBODY}:${NOBODY} ${folder}`);
  },
);

test.runIf(process.getuid?.() === 0)(
  'a folder of backups that is root’s alone is named',
  { tags: 'process' },
  async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'maison.sqlite');
    temporaryDatabase(path).close();
    for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), NOBODY, NOBODY);
    mkdirSync(join(folder, 'sauvegardes'), { mode: 0o700 });
    const said = await startLimited(path, { asNobody: true });
    expect(said).toContain(`${join(folder, 'sauvegardes')}.`);
    expect(said).not.toContain('PORT');
  },
);

test('SQLite without a folder for temporary files names TMPDIR', () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const error = new Sqlite.SqliteError('unable to open database file', 'SQLITE_CANTOPEN');
  expect(toUnusable(path, error, false, ['/nowhere', '/nowhere/else'])).toMatchObject({
    setting: 'TMPDIR',
    message: expect.stringContaining('/nowhere') as string,
  });
  expect(toUnusable(path, error)).toMatchObject({ setting: 'DATABASE_PATH' });
});
