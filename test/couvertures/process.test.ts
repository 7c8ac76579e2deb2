// @module-tag process
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fallbackCoverUrl, relayedUrl, type EtatCouvertures } from '#shared/couvertures';
import type { Livre } from '#shared/livres';
import { atLeastOne } from '../support/at-least-one.ts';
import { temporaryFolder } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { startLimited } from '../support/limited.ts';
import { signedIn } from '../support/sign-on.ts';
import { ServerProcess } from '../support/process.ts';
import { send } from '../support/server.ts';
import { noise, picture, pictureFiles } from './support/pictures.ts';
import { gives, isbnPath, openSource } from './support/source.ts';

const ISBNS = ['9782070360024', '9782070360017', '9782070360109', '9782070360420'];

const add = async (url: string, saisie: object): Promise<void> => {
  const { status } = await send(`${url}/api/livres?confirmerDoublon=true`, {
    method: 'POST',
    headers: ['Content-Type', 'application/json'],
    body: JSON.stringify({ titre: 'Un titre', format: 'Physique', ...saisie }),
  });
  expect(status).toBe(201);
};

const etat = async (url: string): Promise<EtatCouvertures> =>
  JSON.parse((await send(`${url}/api/couvertures/etat`)).text) as EtatCouvertures;

test('a service killed while it fetches continues when restarted', async () => {
  const source = await openSource();
  const delayed: (() => void)[] = [];
  for (const isbn of ISBNS) {
    const content = await picture(`#${isbn.slice(-6)}`);
    // The service dies when half of each response has arrived.
    source.behave(isbnPath(isbn), (response) => {
      response.writeHead(200, { 'Content-Type': 'image/jpeg', 'Content-Length': content.length });
      response.write(content.subarray(0, 500));
      delayed.push(() => void response.end(content.subarray(500)));
    });
  }
  const folder = temporaryFolder();
  const settings = {
    DATABASE_PATH: join(folder, 'maison.sqlite'),
    OPEN_LIBRARY_COVERS_URL: source.url,
    UPSTREAM_TIMEOUT_MS: '20000',
  };
  const first = new ServerProcess(settings);
  const url = await first.url();
  for (const isbn of ISBNS) await add(url, { isbn });
  await eventually(() => delayed.length).toBe(ISBNS.length);
  delayed[0]?.();
  await expect.poll(async () => (await etat(url)).gardees).toBe(1);
  await first.end('SIGKILL');

  for (const isbn of ISBNS)
    source.behave(isbnPath(isbn), gives(await picture(`#${isbn.slice(-6)}`)));
  const second = new ServerProcess(settings);
  const again = await second.url();
  await expect.poll(async () => (await etat(again)).gardees).toBe(ISBNS.length);
  const livres = JSON.parse((await send(`${again}/api/livres`)).text) as Livre[];
  for (const { couverture } of atLeastOne(livres))
    for (const taille of ['ligne', 'page', 'originale']) {
      const answer = await send(`${again}/api/couvertures/${couverture?.cle ?? ''}/${taille}`);
      expect(answer.status).toBe(200);
      expect((await sharp(answer.bytes).stats()).isOpaque).toBe(true);
    }
  expect(pictureFiles(join(folder, 'couvertures'))).toHaveLength(3 * ISBNS.length);
  expect((await second.end('SIGTERM')).code).toBe(0);
});

test('a service ends while a source is silent', async () => {
  const source = await openSource();
  source.behave(isbnPath(ISBNS[0] ?? ''), () => undefined);
  const running = new ServerProcess({ OPEN_LIBRARY_COVERS_URL: source.url });
  const url = await running.url();
  await add(url, { isbn: ISBNS[0] });
  await eventually(() => source.asked.length).toBe(1);
  expect(await running.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
});

test('an unusable folder ends the start with its setting’s name', async () => {
  const running = new ServerProcess({ COVERS_PATH: '/proc/couvertures' });
  const { code, stderr } = await running.ended;
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Réglage COVERS_PATH : .*\n$/);
});

test('a disk that takes no picture refuses it without leftovers', async () => {
  const folder = temporaryFolder();
  // Files up to 1.2 MB: the database and the thumbnails fit, the picture does not.
  const url = await startLimited(join(folder, 'maison.sqlite'), { fileBlocks: 1200 });
  await add(url, {});
  const put = async (body: Buffer) =>
    send(`${url}/api/livres/1/couverture`, { method: 'PUT', body });
  const refused = await put(await noise(1400, 2100));
  expect(refused.status).toBe(507);
  expect(refused.json()).toMatchObject({ code: 'DISQUE_PLEIN' });
  expect(pictureFiles(join(folder, 'couvertures'))).toEqual([]);
  const livre = (await send(`${url}/api/livres/1`)).json();
  expect(livre).toMatchObject({ couverture: null });
  const taken = await put(await picture('#204060'));
  expect(taken.status).toBe(200);
});

test('the log says which picture the disk does not read', async () => {
  const source = await openSource();
  const [isbn = ''] = ISBNS;
  source.behave(isbnPath(isbn), gives(await picture('#204060')));
  const folder = temporaryFolder();
  const running = new ServerProcess({
    DATABASE_PATH: join(folder, 'maison.sqlite'),
    OPEN_LIBRARY_COVERS_URL: source.url,
  });
  const url = await running.url();
  const headers = Object.entries(signedIn('ana')).flat();
  await send(`${url}/api/souhaits`, {
    method: 'POST',
    headers: [...headers, 'Content-Type', 'application/json'],
    body: JSON.stringify({ titre: 'Un titre', isbn }),
  });
  await expect.poll(async () => (await etat(url)).gardees).toBe(1);
  const covers = join(folder, 'couvertures');
  const file = join(covers, pictureFiles(covers).find((name) => !name.includes('.')) ?? '');
  rmSync(file);
  mkdirSync(file);
  const path = relayedUrl(fallbackCoverUrl(source.url, isbn));
  expect((await send(url + path, { headers })).status).toBe(404);
  const { stdout, stderr } = await running.end('SIGTERM');
  expect(stdout + stderr).toContain('EISDIR');
});
