import { expect, test } from 'vitest';
import { send, serve } from '../support/server.ts';

const livre = JSON.stringify({ titre: 'Un titre', format: 'Physique' });

test.each([
  ['another charset', ['Content-Type', 'application/json; charset=latin1']],
  ['a compression', ['Content-Type', 'application/json', 'Content-Encoding', 'gzip']],
])('a body that is announced in %s is refused', async (_name, headers) => {
  const { url } = await serve();
  const answer = await send(`${url}/api/livres`, { method: 'POST', body: livre, headers });
  expect([answer.status, answer.json()['code']]).toEqual([415, 'TYPE_REFUSE']);
});

test('an unreadable address is refused with the usual headers', async () => {
  const { url } = await serve();
  const { headers } = await send(`${url}/api/sante`);
  for (const path of ['/%', '/api/%', '/api/livres/%ZZ']) {
    const answer = await send(url + path);
    expect([answer.status, answer.json()['code']]).toEqual([400, 'REQUETE_INVALIDE']);
    for (const name of ['cache-control', 'vary', 'content-security-policy'])
      expect(answer.headers[name]).toBe(headers[name]);
  }
});
