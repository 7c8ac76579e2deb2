// @module-tag process
import {
  chmodSync,
  chownSync,
  copyFileSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '#server/config';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { restoreBackup } from '#server/plumbing/database/backup/restore';
import { Service } from '#server/service';
import { builtClient } from '../support/client.ts';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { openHouse } from '../support/house.ts';
import { NOBODY, startLimited } from '../support/limited.ts';

const PAGE = 4096;

let template: Buffer | undefined;

/** The path of a household's database whose service was stopped properly; created once. */
async function leftHousehold(): Promise<string> {
  const path = join(temporaryFolder(), 'maison.sqlite');
  if (template === undefined) {
    const house = await openHouse(path);
    for (let number = 1; number <= 40; number++)
      await house.ask(null, 'POST', '/api/livres', {
        titre: `Livre ${String(number)} ${'x'.repeat(200)}`,
        format: 'Physique',
      });
    await house.close();
    template = readFileSync(path);
  } else {
    writeFileSync(path, template);
    // This file tells a start that a service has opened the database.
    writeFileSync(`${path}.lock`, '');
  }
  return path;
}

async function start(path: string) {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const failed = vi.fn();
  const config = readConfig({ DATABASE_PATH: path, PORT: '0', LOG_LEVEL: 'silent' });
  const service = new Service({ ...config, clientPath: builtClient() }, failed);
  await service.listen();
  onTestFinished(() => service.close());
  const lines = stderr.mock.calls.map(([line]) => String(line));
  stderr.mockRestore();
  return { url: service.url, service, failed, lines };
}

async function ask(
  url: string,
  path: string,
  sent?: RequestInit,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(url + path, sent);
  return { status: response.status, body: await response.json() };
}

const DAMAGED = { status: 503, body: { code: 'BASE_ABIMEE' } };

/** Overwrites a page, numbered from 1, with rubbish. */
function overwrite(path: string, page: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xab, (page - 1) * PAGE, page * PAGE);
  writeFileSync(path, bytes);
}

test.each<[string, (path: string) => void]>([
  ['its first page is overwritten', (path) => overwrite(path, 1)],
  ['it is cut in its middle', (path) => truncateSync(path, statSync(path).size >> 1)],
  ['it is cut behind its first page', (path) => truncateSync(path, PAGE)],
  ['it is cut within its first page', (path) => truncateSync(path, 60)],
  ['it is empty, and was not', (path) => truncateSync(path, 0)],
  ['it is rubbish', (path) => writeFileSync(path, 'x'.repeat(50_000))],
])('a database of which %s is left unchanged until mended', async (_, damage) => {
  const path = await leftHousehold();
  const intact = `${path}.entier`;
  copyFileSync(path, intact);
  damage(path);
  const damaged = readFileSync(path);
  const { url, service, lines, failed } = await start(path);
  expect(lines).toEqual([expect.stringMatching(/^La base .*maison\.sqlite est abîmée.*restore/)]);
  for (const operation of ['/api/sante', '/api/livres', '/api/moi', '/api/replication'])
    expect(await ask(url, operation)).toMatchObject(DAMAGED);
  expect(await (await fetch(`${url}/livres/1`)).text()).toContain('Rayonnage');
  expect(readFileSync(path).equals(damaged)).toBe(true);

  copyFileSync(intact, path);
  await eventually(async () => (await ask(url, '/api/sante').catch(() => DAMAGED)).status).toBe(
    200,
  );
  expect((await ask(service.url, '/api/livres')).body).toHaveLength(40);
  expect(failed).not.toHaveBeenCalled();
});

test('a damaged page never ends the service nor hides books', async () => {
  const path = await leftHousehold();
  const intact = readFileSync(path);
  const pages = intact.length / PAGE;
  const answers = new Set<number>();
  for (let page = 2; page <= pages; page += 3) {
    writeFileSync(path, intact);
    overwrite(path, page);
    const { url, service } = await start(path);
    expect(service.notices, String(page)).toEqual(expect.any(Array));
    const livres = await ask(url, '/api/livres');
    answers.add(livres.status);
    const whole40 = { body: Array<unknown>(40).fill(expect.anything()) };
    expect(livres, String(page)).toMatchObject(livres.status === 200 ? whole40 : DAMAGED);
    await service.close();
  }
  // Some damage is noticed at the start, some when it is read.
  expect([...answers].sort()).toEqual([200, 503]);
});

test('a waiting service takes up a backup restored beside it', async () => {
  const path = await leftHousehold();
  const backup = await makeBackup(path, temporaryFolder());
  overwrite(path, 1);
  const { url } = await start(path);
  expect(await ask(url, '/api/sante')).toMatchObject(DAMAGED);
  await restoreBackup(backup.path, { databasePath: path });
  await eventually(async () => (await ask(url, '/api/sante').catch(() => DAMAGED)).status).toBe(
    200,
  );
  expect((await ask(url, '/api/livres')).body).toHaveLength(40);
});

test('an empty file becomes a new household', async () => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  writeFileSync(path, '');
  const { url } = await start(path);
  expect(await ask(url, '/api/sante')).toMatchObject({ status: 200 });
});

test('a read-only database is served, and written once permitted', async () => {
  const path = await leftHousehold();
  const [folder] = path.split('/maison.sqlite');
  const db = new Sqlite(path);
  const schema = db.pragma('user_version', { simple: true });
  db.close();
  if (process.getuid?.() === 0) chownSync(folder ?? '', NOBODY, NOBODY);
  chmodSync(path, 0o444);
  const url = await startLimited(path, { asNobody: true });
  const refusal = { status: 503, body: { code: 'BASE_EN_LECTURE_SEULE' } };
  const add = () =>
    fetch(`${url}/api/livres`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ titre: 'Sido', format: 'Physique' }),
    });
  expect(await ask(url, '/api/sante')).toMatchObject(refusal);
  expect((await ask(url, '/api/livres')).body).toHaveLength(40);
  expect((await add()).status).toBe(503);
  expect(await ask(url, '/api/sante')).toMatchObject(refusal);
  chmodSync(folder ?? '', 0o555);
  const file = { method: 'POST', body: 'Titre\nSido\n' };
  expect(await ask(url, '/api/importations', file)).toMatchObject(refusal);
  chmodSync(folder ?? '', 0o755);

  if (process.getuid?.() === 0) chownSync(path, NOBODY, NOBODY);
  chmodSync(path, 0o644);
  await eventually(async () => (await ask(url, '/api/sante').catch(() => refusal)).status).toBe(
    200,
  );
  expect((await add()).status).toBe(201);
  expect((await ask(url, '/api/sante')).body).toMatchObject({ service: { schema } });
});
