import sharp from 'sharp';
import { expect, test } from 'vitest';
import { hollowPng, photograph } from '../couvertures/support/pictures.ts';
import { openHome, type Browser, type Home } from './support.ts';

const send = (home: Home, browser: Browser, image: Buffer): Promise<Response> =>
  fetch(`${home.url}/api/moi/portrait`, {
    method: 'PUT',
    headers: browser.headers(),
    body: new Uint8Array(image),
  });

const keyIn = (reply: unknown): string => String(Reflect.get(Object(reply), 'portrait'));
const read = (home: Home, key: string) => fetch(`${home.url}/api/connexion/portraits/${key}`);

test('a member’s picture becomes a small square without metadata', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const key = keyIn(await (await send(home, claire, await photograph())).json());
  const answer = await read(home, key);
  expect(answer.headers.get('cache-control')).toMatch(/private.*immutable/);
  expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  const { format, width, height, exif } = await sharp(await answer.arrayBuffer()).metadata();
  expect({ format, width, height, exif }).toEqual({
    format: 'webp',
    width: 288,
    height: 288,
    exif: undefined,
  });
});

test('a member’s picture is shown wherever their face is', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const key = keyIn(await (await send(home, claire, await photograph())).json());
  for (const [path, shown] of [
    ['/api/moi', { portrait: key }],
    ['/api/membres', [{ portrait: key }]],
    ['/api/connexion', { visages: [{ portrait: key }] }],
  ] as const)
    expect((await claire.ask('GET', path)).body, path).toMatchObject(shown);
});

test('a member’s new picture has another address', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const image = await photograph();
  const keys = [];
  for (let i = 0; i < 2; i++) keys.push(keyIn(await (await send(home, claire, image)).json()));
  const [before = '', now = ''] = keys;
  expect(now).not.toBe(before);
  expect((await read(home, before)).status).toBe(404);
  expect((await read(home, now)).status).toBe(200);
});

test('a member’s removed picture is deleted', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const key = keyIn(await (await send(home, claire, await photograph())).json());
  expect((await claire.ask('DELETE', '/api/moi/portrait')).body).not.toHaveProperty('portrait');
  expect((await read(home, key)).status).toBe(404);
});

test('a refused picture leaves a member’s own in place', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const key = keyIn(await (await send(home, claire, await photograph())).json());
  const bomb = hollowPng({ width: 30_000, height: 30_000 });
  for (const content of [Buffer.from('<svg onload="alert(1)"/>'), Buffer.alloc(0), bomb])
    expect((await send(home, claire, content)).status).toBe(400);
  expect((await read(home, key)).status).toBe(200);
});

test('a member’s picture goes with them', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const luc = await home.member('Luc');
  const key = keyIn(await (await send(home, luc, await photograph())).json());
  expect((await claire.ask('DELETE', '/api/membres/2')).status).toBe(204);
  expect((await read(home, key)).status).toBe(404);
  expect((await send(home, luc, await photograph())).status).toBe(401);
});
