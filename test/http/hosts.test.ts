import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';
import { builtClient } from '../support/client.ts';

const ask = (url: string, host: string, path = '/api/moi') =>
  send(url + path, { headers: ['Host', host, 'Sec-Fetch-Site', 'same-origin'] });

test('a foreign name that resolves to this machine reads nothing', async () => {
  const { url } = await serve({ SIMULATED_USER: 'alice' }, builtClient());
  for (const host of ['ailleurs.fr:3000', 'localhost.ailleurs.fr', 'x', '%%'])
    for (const path of ['/api/livres', '/', '/api/rien', '/_app/version.json']) {
      const { status, json } = await ask(url, host, path);
      expect([host, path, status, json()['code']]).toEqual([host, path, 421, 'HOTE_INCONNU']);
    }
});

test('a foreign name that resolves to this machine writes nothing', async () => {
  const { url, context } = await serve({ SIMULATED_USER: 'alice' });
  const body = JSON.stringify({ titre: 'Un titre', format: 'Physique' });
  const headers = ['Host', 'ailleurs.fr', 'Content-Type', 'application/json'];
  expect((await send(`${url}/api/livres`, { method: 'POST', headers, body })).status).toBe(421);
  expect(context.database.revision()).toBe(0);
});

test('this machine is served by its own names', async () => {
  const { url } = await serve();
  for (const host of [
    '127.0.0.1',
    'localhost:3000',
    'LOCALHOST',
    'localhost.',
    'biblio.localhost:80',
    '127.8.9.1',
    '[::1]:3000',
    '[::ffff:127.0.0.1]',
  ])
    expect([host, (await ask(url, host)).status]).toEqual([host, 200]);
});

test('a setting names the others that are served', async () => {
  const { url } = await serve({ ALLOWED_HOSTS: 'Biblio.example.org, maison' });
  for (const host of ['biblio.example.org', 'BIBLIO.example.org:443', 'maison:3000', 'localhost'])
    expect([host, (await ask(url, host)).status]).toEqual([host, 200]);
  for (const host of ['example.org', 'a.biblio.example.org'])
    expect([host, (await ask(url, host)).status]).toEqual([host, 421]);
});

test.each([{ HOST: '0.0.0.0' }, { ALLOWED_HOSTS: '*' }])(
  'any name is served with %j',
  async (set) => {
    const { url } = await serve(set);
    expect((await ask(url, 'biblio.example.org')).status).toBe(200);
  },
);

const PRIVATE = ['192.168.1.2', '10.0.0.7:3000', '172.20.1.1', '100.100.1.2', '[fd12::7]:80'];
const NAMES = ['biblio.local', 'BIBLIO.local:8080', 'nas.lan', 'nas.home.arpa', 'a.b.internal'];
const PUBLIC = ['203.0.113.7', '[2001:db8::7]', 'local', 'biblio.local.ailleurs.fr', 'xlan'];

const statusesOf = async (url: string, hosts: readonly string[]) =>
  Promise.all(hosts.map(async (host) => [host, (await ask(url, host, '/api/sante')).status]));
const all = (hosts: readonly string[], status: number) => hosts.map((host) => [host, status]);

test('the addresses of a house are served unasked, and no name', async () => {
  const { url } = await serve({ SIMULATED_USER: 'alice' });
  expect(await statusesOf(url, PRIVATE)).toEqual(all(PRIVATE, 200));
  const others = [...NAMES, ...PUBLIC];
  expect(await statusesOf(url, others)).toEqual(all(others, 421));
});

test('with accounts the names of a house are served, too', async () => {
  const { url } = await serve({ ACCOUNTS: 'oui' });
  const own = [...PRIVATE, ...NAMES];
  expect(await statusesOf(url, own)).toEqual(all(own, 200));
  expect(await statusesOf(url, PUBLIC)).toEqual(all(PUBLIC, 421));
});

test('a setting that names hosts serves these alone', async () => {
  const { url } = await serve({ ACCOUNTS: 'oui', ALLOWED_HOSTS: 'biblio.example.org,2001:db8::7' });
  const named = ['biblio.example.org', '[2001:db8::7]:3000'];
  expect(await statusesOf(url, named)).toEqual(all(named, 200));
  const others = [...PRIVATE, ...NAMES];
  expect(await statusesOf(url, others)).toEqual(all(others, 421));
});

test.each([
  [{}, 'ALLOWED_HOSTS=biblio.example.org'],
  [{ ALLOWED_HOSTS: 'maison' }, 'ALLOWED_HOSTS=…,biblio.example.org'],
])('a refused host name comes with the line to add: %j', async (settings, ligne) => {
  const { url } = await serve(settings);
  const body = (await ask(url, 'biblio.example.org:8443')).json();
  expect(body).toMatchObject({ code: 'HOTE_INCONNU', ligne });
  expect(body['message']).toContain(ligne);
  const headers = ['Host', 'biblio.example.org', 'Accept', 'text/html,*/*'];
  const page = await send(`${url}/livres`, { headers });
  expect(page.status).toBe(421);
  expect(page.headers['content-type']).toContain('text/html');
  expect(page.text).toContain(`<pre>${ligne}</pre>`);
});

test('an invalid host name is never echoed', async () => {
  const { url } = await serve();
  for (const host of ['<b>x</b>', '%%', '"><script>', 'a b']) {
    const headers = ['Host', host, 'Accept', 'text/html'];
    const { status, text } = await send(`${url}/`, { headers });
    expect([host, status]).toEqual([host, 421]);
    expect(text, host).not.toContain('<pre>');
    expect(text, host).not.toContain('<b>x');
  }
});
