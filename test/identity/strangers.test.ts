import { expect, test } from 'vitest';
import { readAccess } from '../support/access.ts';
import { atLeastOne } from '../support/at-least-one.ts';
import { send } from '../support/server.ts';
import { ConfigError, readConfig } from '#server/config';
import { builtClient } from '../support/client.ts';
import { serve } from '../support/server.ts';
import { openHome, whoReads } from './support.ts';

test('a stranger gets the sign-in and the health alone', async () => {
  const { url } = await openHome();
  const { operations } = await readAccess();
  const isOpen = (may: string) => ['anyone', 'visitor'].includes(may);
  for (const [name, { may, endpoint }] of atLeastOne(operations)) {
    const { method, path } = endpoint;
    const target = path.replace(/:\w+/g, '1');
    const { status, text } = await send(url + target, { method });
    const isRefused = status === 401 && text.includes('"CONNEXION_REQUISE"');
    expect(isRefused, `${name}: ${method} ${target} is ${status}`).toBe(!isOpen(may));
  }
  const open = [...operations.values()]
    .filter(({ may }) => isOpen(may))
    .map(({ endpoint }) => endpoint.path);
  expect(open.filter((path) => !path.startsWith('/api/connexion'))).toEqual(['/api/sante']);
});

test.each([
  '/api',
  '/api/',
  '/api/rien',
  '/%61pi/livres',
  '/api/%6Civres',
  '/api/livres?connexion',
  '/api/livres/',
  '/api/documentation',
  '/api/documentation/json',
  '/api/replication/evenements',
  '/api/export.zip',
])('no spelling of an address is a way around: %s', async (path) => {
  const { url } = await openHome();
  for (const method of ['GET', 'HEAD']) {
    const { status } = await send(url + path, { method });
    expect([401, 404], `${method} ${path}`).toContain(status);
  }
});

test('below a path strangers are refused too', async () => {
  const { url } = await openHome({ BASE_PATH: '/biblio' });
  for (const address of [`${url}/api/livres`, `${new URL(url).origin}/api/livres`])
    expect((await send(address)).status).toBe(401);
});

test('no header of a sign-on is read from anyone', async () => {
  const home = await openHome();
  await home.member('Claire');
  const claims = { SSO_USER: 'claire', 'Remote-User': 'claire' };
  const { status } = await home.device().ask('GET', '/api/moi', undefined, claims);
  expect(status).toBe(401);
  const luc = await home.member('Luc');
  const { body } = await luc.ask('GET', '/api/moi', undefined, claims);
  expect(body).toMatchObject({ utilisateur: 'luc' });
});

test('a stranger gets the page to sign in on', async () => {
  const client = builtClient();
  const { url } = await serve({ ACCOUNTS: 'oui' }, client);
  for (const path of [
    '/',
    '/connexion',
    '/livres/1',
    '/service-worker.js',
    '/manifest.webmanifest',
  ])
    expect((await send(url + path)).status, path).toBe(200);
});

test.each([
  ['SSO_HEADER_USER', 'Remote-User'],
  ['SIMULATED_USER', 'claire'],
])('accounts with %s stop the start', (name, value) => {
  const start = () => readConfig({ ACCOUNTS: 'oui', [name]: value });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(`Réglage ACCOUNTS : ne va pas avec ${name}`);
});

test('a forged cookie opens nothing', async () => {
  const home = await openHome();
  await home.member('Claire');
  const device = home.device();
  for (const cookie of [
    'rayonnage=',
    'rayonnage=x',
    `rayonnage=${'a'.repeat(4000)}`,
    'rayonnage=%00',
  ]) {
    device.cookie = cookie;
    expect(await whoReads(device), cookie).toBe('CONNEXION_REQUISE');
  }
});

test('a page of another site acts in nobody’s name', async () => {
  const home = await openHome();
  const claire = await home.member('Claire');
  const elsewhere = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://ailleurs.example' };
  const port = new URL(home.url).port;
  const neighbours: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'null' },
    { Origin: `http://autre.127.0.0.1.example:${port}` },
    { Origin: `http://127.0.0.1:${Number(port) + 1}` },
  ];
  for (const headers of neighbours)
    expect((await claire.ask('DELETE', '/api/connexion', undefined, headers)).body).toMatchObject({
      code: 'ORIGINE_REFUSEE',
    });
  for (const [method, path, body] of [
    ['POST', '/api/connexion', { identifiant: 'claire', motDePasse: 'une longue phrase' }],
    ['DELETE', '/api/connexion'],
    ['PUT', '/api/connexion/lecteur', { membreId: null }],
    ['POST', '/api/invitations', { nom: 'Inès' }],
    ['POST', '/api/livres', { titre: 'Nadja', auteurs: [], format: 'Physique' }],
  ] as const)
    expect((await claire.ask(method, path, body, elsewhere)).body, path).toMatchObject({
      code: 'ORIGINE_REFUSEE',
    });
  expect(await whoReads(claire)).toBe('claire');
});
