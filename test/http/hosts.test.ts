import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';
import { builtClient } from '../support/client.ts';

const ask = (url: string, host: string, path = '/api/moi') =>
  send(url + path, { headers: ['Host', host, 'Sec-Fetch-Site', 'same-origin'] });

test('a name made to lead to this machine reads nothing', async () => {
  const { url } = await serve({ SIMULATED_USER: 'alice' }, builtClient());
  for (const host of ['ailleurs.fr:3000', 'localhost.ailleurs.fr', '192.168.1.2', 'x', '%%'])
    for (const path of ['/api/livres', '/', '/api/rien', '/_app/version.json']) {
      const { status, json } = await ask(url, host, path);
      expect([host, path, status, json()['code']]).toEqual([host, path, 421, 'HOTE_INCONNU']);
    }
});

test('a name made to lead to this machine writes nothing', async () => {
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
