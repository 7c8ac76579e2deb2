import { expect, test } from 'vitest';
import { comesFromElsewhere } from '#server/plumbing/http/identity';
import { send, serve } from '../support/server.ts';

const cases: [Record<string, string>, boolean][] = [
  [{}, false],
  [{ 'sec-fetch-site': 'same-origin' }, false],
  [{ 'sec-fetch-site': 'none' }, false],
  [{ 'sec-fetch-site': 'cross-site' }, true],
  [{ 'sec-fetch-site': 'same-site' }, true],
  [{ 'sec-fetch-site': 'cross-site', origin: 'http://maison.lan' }, true],
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://ailleurs.fr' }, false],
  [{ origin: 'http://maison.lan' }, false],
  [{ origin: 'https://maison.lan' }, false],
  [{ origin: 'https://MAISON.lan' }, false],
  [{ origin: 'https://maison.lan:443' }, false],
  [{ origin: 'https://maison.lan', host: 'maison.lan:443' }, false],
  [{ origin: 'http://maison.lan', host: 'maison.lan:443' }, true],
  [{ origin: 'http://maison.lan:3000', host: 'maison.lan:3000' }, false],
  [{ origin: 'http://maison.lan:3001', host: 'maison.lan:3000' }, true],
  [{ origin: 'http://maison.lan:3000' }, true],
  [{ origin: 'http://[::1]:3000', host: '[::1]:3000' }, false],
  [{ origin: 'http://ailleurs.fr' }, true],
  [{ origin: 'http://maison.lan.ailleurs.fr' }, true],
  [{ origin: 'http://ailleurs.fr', host: 'maison.lan', 'x-forwarded-host': 'ailleurs.fr' }, true],
  [{ origin: 'null' }, true],
  [{ origin: '' }, true],
  [{ origin: 'file://' }, true],
  [{ origin: 'http://maison.lan', host: '' }, true],
];

test.each(cases)('%o', (headers, foreign) => {
  expect(comesFromElsewhere({ host: 'maison.lan', ...headers })).toBe(foreign);
});

test('another origin’s write is refused before its body is read', async () => {
  const { url } = await serve();
  const headers = ['Sec-Fetch-Site', 'cross-site', 'Content-Type', 'text/plain'];
  const write = await send(`${url}/api/livres`, { method: 'POST', headers, body: '{}' });
  expect([write.status, write.json()['code']]).toEqual([403, 'ORIGINE_REFUSEE']);
});

test('a read from another origin is answered', async () => {
  const { url } = await serve();
  const headers = ['Sec-Fetch-Site', 'cross-site', 'Content-Type', 'text/plain'];
  expect((await send(`${url}/api/livres`, { headers })).status).toBe(200);
});

test('an unknown caller of a personal operation gets 401 first', async () => {
  const { url } = await serve();
  const headers = ['Sec-Fetch-Site', 'cross-site', 'Content-Type', 'text/plain'];
  const answer = await send(`${url}/api/livres/rien/statut`, { method: 'PUT', headers, body: '?' });
  expect([answer.status, answer.json()['code']]).toEqual([401, 'IDENTITE_INCONNUE']);
});
