import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toRefusal } from '#server/plumbing/http/framework';
import { temporaryFolder } from '../support/database.ts';
import { send, sendBytes, serve, type Received, type Sent } from '../support/server.ts';

const JSON_TYPE = ['Content-Type', 'application/json'];
const livre = JSON.stringify({ titre: 'Un titre', format: 'Physique' });

function expectError(
  answer: Pick<Received, 'status' | 'headers' | 'json'>,
  status: number,
  code: string,
  asked = '',
): void {
  expect(answer.json(), asked).toMatchObject({
    statusCode: status,
    code,
    error: expect.any(String) as string,
    message: expect.any(String) as string,
  });
  expect(answer.status, asked).toBe(status);
  expect(answer.headers['content-type'], asked).toBe('application/json; charset=utf-8');
}

const REFUSED: readonly [name: string, path: string, sent: Sent, status: number, code: string][] = [
  ['an unknown path', '/api/inconnu', {}, 404, 'INTROUVABLE'],
  [
    'an unknown path with an odd body',
    '/api/inconnu',
    { method: 'POST', body: '{', headers: JSON_TYPE },
    404,
    'INTROUVABLE',
  ],
  [
    'an unknown method',
    '/api/livres',
    { method: 'PATCH', body: '{', headers: JSON_TYPE },
    404,
    'INTROUVABLE',
  ],
  ['a method of another protocol', '/api/livres', { method: 'PROPFIND' }, 404, 'INTROUVABLE'],
  ['a trailing slash', '/api/livres/', {}, 404, 'INTROUVABLE'],
  ['a malformed path', '/api/livres/%ZZ', {}, 400, 'REQUETE_INVALIDE'],
  ['a path that is no UTF-8', '/api/livres/%FF', {}, 400, 'REQUETE_INVALIDE'],
  ['an odd id', '/api/livres/abc', {}, 404, 'INTROUVABLE'],
  ['an id of another spelling', '/api/livres/01', {}, 404, 'INTROUVABLE'],
  ['an id beyond integers', '/api/livres/99999999999999999999', {}, 404, 'INTROUVABLE'],
  ['an endless id', `/api/livres/${'9'.repeat(1000)}`, {}, 404, 'INTROUVABLE'],
  ['an unread query', '/api/livres?recherche=%', {}, 400, 'REQUETE_INVALIDE'],
  ['a NUL in a query', '/api/livres?recherche=a%00', {}, 400, 'REQUETE_INVALIDE'],
  ['a doubled parameter', '/api/livres?limite=1&limite=2', {}, 400, 'REQUETE_INVALIDE'],
  ['a number in hexadecimal', '/api/livres?limite=0x10', {}, 400, 'REQUETE_INVALIDE'],
  ['a number with an exponent', '/api/livres?decalage=1e2', {}, 400, 'REQUETE_INVALIDE'],
  ['no end', '/api/replication?limite=Infinity', {}, 400, 'REQUETE_INVALIDE'],
  ['an endless number', `/api/livres?limite=${'9'.repeat(400)}`, {}, 400, 'REQUETE_INVALIDE'],
  ['no body', '/api/livres', { method: 'POST' }, 400, 'REQUETE_INVALIDE'],
  [
    'an empty body',
    '/api/livres',
    { method: 'POST', body: '', headers: JSON_TYPE },
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'a body that is no JSON',
    '/api/livres',
    { method: 'POST', body: '{"titre":', headers: JSON_TYPE },
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'a body that is no object',
    '/api/livres',
    { method: 'POST', body: '[]', headers: JSON_TYPE },
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'a body that is no UTF-8',
    '/api/livres',
    {
      method: 'POST',
      body: Buffer.from('{"titre":"\xe9","format":"Physique"}', 'latin1'),
      headers: JSON_TYPE,
    },
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'a poisoned body',
    '/api/livres',
    { method: 'POST', body: `{"__proto__":{"x":1},${livre.slice(1)}`, headers: JSON_TYPE },
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'a poisoned constructor',
    '/api/livres',
    {
      method: 'POST',
      body: `{"constructor":{"prototype":{}},${livre.slice(1)}`,
      headers: JSON_TYPE,
    },
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'a deep body',
    '/api/livres',
    {
      method: 'POST',
      body: `{"titre":${'['.repeat(300_000)}${']'.repeat(300_000)}}`,
      headers: JSON_TYPE,
    },
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'text',
    '/api/livres',
    { method: 'POST', body: livre, headers: ['Content-Type', 'text/plain'] },
    415,
    'TYPE_REFUSE',
  ],
  [
    'a form',
    '/api/livres',
    {
      method: 'POST',
      body: 'titre=x',
      headers: ['Content-Type', 'application/x-www-form-urlencoded'],
    },
    415,
    'TYPE_REFUSE',
  ],
  ['no media type', '/api/livres', { method: 'POST', body: livre }, 415, 'TYPE_REFUSE'],
  [
    'a bad media type',
    '/api/livres',
    { method: 'POST', body: livre, headers: ['Content-Type', ';;'] },
    415,
    'TYPE_REFUSE',
  ],
  [
    'a body of 1 MiB that is no object',
    '/api/livres',
    { method: 'POST', body: `"${'a'.repeat(1_048_574)}"`, headers: JSON_TYPE },
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'a body of 1 MiB and a byte',
    '/api/livres',
    { method: 'POST', body: `"${'a'.repeat(1_048_575)}"`, headers: JSON_TYPE },
    413,
    'CORPS_TROP_GRAND',
  ],
  [
    'a large body',
    '/api/livres',
    { method: 'POST', body: `"${'a'.repeat(3_000_000)}"`, headers: JSON_TYPE },
    413,
    'CORPS_TROP_GRAND',
  ],
  [
    'a strange expectation',
    '/api/livres/0',
    { headers: ['Expect', 'miracles'] },
    404,
    'INTROUVABLE',
  ],
];

test('a bad request is refused by its code, as JSON', async () => {
  const { url } = await serve();
  for (const [name, path, sent, status, code] of REFUSED)
    expectError(await send(url + path, sent), status, code, name);
});

test('each kind of text has its greatest length, in characters', async () => {
  const { url } = await serve();
  const post = (path: string, body: object) =>
    send(url + path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
  const book = { titre: 'Un titre', format: 'Physique', confirmerDoublon: true };
  const issue = { revue: { titre: 'Rives' } };
  for (const [path, champ, most, of] of [
    ['livres', 'titre', 500, (text: string) => ({ ...book, titre: text })],
    ['livres', 'auteurs.0', 200, (text: string) => ({ ...book, auteurs: [text] })],
    ['livres', 'editeur', 200, (text: string) => ({ ...book, editeur: text })],
    [
      'livres',
      'coverUrl',
      2000,
      (text: string) => ({ ...book, coverUrl: `https://a.fr/${text.slice(13)}` }),
    ],
    [
      'revues/numeros',
      'numero.resume',
      10_000,
      (text: string) => ({ ...issue, numero: { numero: '1', resume: text } }),
    ],
  ] as const) {
    const full = await post(`/api/${path}`, of('a'.repeat(most)));
    expect([champ, full.status]).toEqual([champ, 201]);
    const over = await post(`/api/${path}`, of('a'.repeat(most + 1)));
    expect([over.status, over.json()]).toMatchObject([400, { champs: [{ champ }] }]);
  }
});

test.each([
  [405, 'METHODE_REFUSEE'],
  [408, 'DEMANDE_TROP_LENTE'],
  [412, 'FICHIER_CHANGE'],
  [413, 'CORPS_TROP_GRAND'],
  [414, 'ADRESSE_TROP_LONGUE'],
  [415, 'TYPE_REFUSE'],
  [416, 'PLAGE_IMPOSSIBLE'],
  [417, 'REQUETE_INVALIDE'],
  [431, 'EN_TETES_TROP_GRANDS'],
])('a refusal of the framework by %i keeps its status', (status, code) => {
  const refusal = toRefusal(Object.assign(new Error('refused'), { statusCode: status }));
  expect(refusal).toMatchObject({ status, code });
  expect(refusal.message).not.toContain('JSON lisible');
});

test('a byte order mark and charset are taken', async () => {
  const { url } = await serve();
  const headers = ['Content-Type', 'application/json; charset=utf-8'];
  expect(
    (await send(`${url}/api/livres`, { method: 'POST', headers, body: `\ufeff${livre}` })).status,
  ).toBe(201);
});

test('an unneeded empty body may have any type', async () => {
  const { url } = await serve();
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const answer = await send(`${url}/api/prets/1/retour`, {
      method: 'POST',
      body: '',
      headers: ['Content-Type', type],
    });
    expectError(answer, 404, 'INTROUVABLE');
  }
});

const MALFORMED = [
  ['no HTTP at all', 'bonjour\r\n\r\n', 400, 'REQUETE_INVALIDE'],
  ['a malformed request line', 'GET  HTTP/1.1\r\n\r\n', 400, 'REQUETE_INVALIDE'],
  [
    'headers without end',
    `GET /api/sante HTTP/1.1\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    431,
    'EN_TETES_TROP_GRANDS',
  ],
  [
    'a bad length',
    'POST /api/livres HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n',
    400,
    'REQUETE_INVALIDE',
  ],
  [
    'two lengths',
    'POST /api/livres HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    400,
    'REQUETE_INVALIDE',
  ],
  ['no host', 'GET /api/inconnu HTTP/1.1\r\nConnection: close\r\n\r\n', 404, 'INTROUVABLE'],
] as const;

test('malformed HTTP is refused in the same form', async () => {
  const { url } = await serve();
  for (const [name, bytes, status, code] of MALFORMED) {
    const [head = '', body = ''] = (await sendBytes(url, bytes)).split('\r\n\r\n');
    expect(head, name).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
    expect(JSON.parse(body), name).toMatchObject({ statusCode: status, code });
  }
});

test('an unforeseen error reveals nothing of itself', async () => {
  const { url, context } = await serve();
  context.database.close();
  const sante = await send(`${url}/api/sante`);
  expectError(sante, 503, 'BASE_INJOIGNABLE');
  const write = await send(`${url}/api/livres`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: livre,
  });
  expect(write.status).toBeGreaterThanOrEqual(500);
  expect(write.text).not.toMatch(/sql|database|\.ts|\bat /i);
});

test.each([
  ['deleted', (path: string) => rmSync(path)],
  [
    'replaced by a copy',
    (path: string) => {
      copyFileSync(path, `${path}.copie`);
      renameSync(`${path}.copie`, path);
    },
  ],
])('a database file that was %s takes no write', async (_how, befall) => {
  const path = join(temporaryFolder(), 'maison.sqlite');
  const { url } = await serve({ DATABASE_PATH: path });
  const post = { method: 'POST', headers: JSON_TYPE, body: livre };
  expect((await send(`${url}/api/livres`, post)).status).toBe(201);
  befall(path);
  expectError(await send(`${url}/api/livres`, post), 503, 'BASE_INJOIGNABLE');
  expectError(await send(`${url}/api/sante`), 503, 'BASE_INJOIGNABLE');
});

test('API answers are private, and keep a browser from guessing', async () => {
  const { url } = await serve();
  const { headers } = await send(`${url}/api/moi`);
  expect(headers).toMatchObject({
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
});
