import { connect } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { ask } from '../support/ask.ts';
import { send, serve, type RunningServer } from '../support/server.ts';

const livre = { titre: 'La mer', format: 'Physique' };
const DAY_MS = 24 * 60 * 60 * 1000;

const add = (
  server: RunningServer,
  key: string,
  options: { as?: string | null; body?: unknown; path?: string } = {},
) => {
  const { path = '/api/livres', ...rest } = options;
  return ask(server, 'POST', path, { body: livre, headers: { 'Idempotency-Key': key }, ...rest });
};

const count = async (server: RunningServer) =>
  (JSON.parse((await ask(server, 'GET', '/api/livres')).text) as unknown[]).length;

test('a request sent twice is written once, with one answer', async () => {
  const server = await serve();
  const first = await add(server, 'k1');
  expect(first.status).toBe(201);
  expect(first.headers['idempotency-replayed']).toBeUndefined();
  const second = await add(server, 'k1');
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect(second.headers['idempotency-replayed']).toBe('true');
  for (const name of ['location', 'x-revision', 'etag', 'cache-control', 'content-type'])
    expect([name, second.headers[name]]).toEqual([name, first.headers[name]]);
  expect(await count(server)).toBe(1);
});

test('a stored response names its modification again, and contains no sentence', async () => {
  const server = await serve();
  const resume = encodeURIComponent('Livre ajouté : La mer');
  for (const { headers } of [await add(server, 'k1'), await add(server, 'k1')])
    expect([headers['x-modification'], headers['x-modification-resume']]).toEqual(['1', resume]);
  const records = server.context.database.all('SELECT headers, arguments FROM IdempotencyRecord');
  expect(records).toMatchObject([
    { arguments: JSON.stringify({ fait: 'livreAjoute', nom: 'La mer', serie: null }) },
  ]);
  expect(JSON.stringify(records)).not.toContain(resume);
});

test('without a key every request is a new one', async () => {
  const server = await serve();
  const path = '/api/livres?confirmerDoublon=true';
  for (const id of [1, 2]) {
    const { status, json } = await ask(server, 'POST', path, { body: livre });
    expect([status, json()['id']]).toEqual([201, id]);
  }
});

test('a key used again for another request is refused', async () => {
  const server = await serve();
  await add(server, 'k1');
  for (const [name, request] of [
    ['another body', { body: { ...livre, titre: 'Autre' } }],
    ['another query', { path: '/api/livres?confirmerDoublon=true' }],
    ['another path', { path: '/api/series', body: { titre: 'Série' } }],
    ['another body that does not fit', { body: {} }],
  ] as const) {
    const { status, json } = await add(server, 'k1', request);
    expect([status, json()['code']], name).toEqual([422, 'CLE_REUTILISEE']);
  }
  const { status } = await send(`${server.url}/api/livres`, {
    method: 'POST',
    headers: ['SSO_USER', 'alice', 'Content-Type', 'application/json', 'Idempotency-Key', 'k1'],
    body: `${JSON.stringify(livre)} `,
  });
  expect(status).toBe(422);
  expect(await count(server)).toBe(1);
});

test('a key belongs to its caller', async () => {
  const server = await serve();
  const [alice, bob, unknown] = [
    await add(server, 'k1', { body: { ...livre, titre: 'Un' } }),
    await add(server, 'k1', { body: { ...livre, titre: 'Deux' }, as: 'bob' }),
    await add(server, 'k1', { body: { ...livre, titre: 'Trois' }, as: null }),
  ];
  expect([alice, bob, unknown].map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(await count(server)).toBe(3);
});

test('a key has one to two hundred visible characters', async () => {
  const server = await serve();
  for (const key of ['', ' ', 'a b', 'a'.repeat(201), 'a\tb', '\u00a0']) {
    const { status, json } = await add(server, key);
    expect([status, json()['code']], JSON.stringify(key)).toEqual([400, 'REQUETE_INVALIDE']);
  }
  expect(await count(server)).toBe(0);
  expect((await add(server, `${'~'.repeat(199)}!`)).status).toBe(201);
});

describe('refusals', () => {
  test('DOUBLON is kept, even once it is one no more', async () => {
    const server = await serve();
    await add(server, 'k1');
    const refused = await add(server, 'k2');
    expect([refused.status, refused.json()['code']]).toEqual([409, 'DOUBLON']);
    await ask(server, 'DELETE', '/api/livres/1');
    const again = await add(server, 'k2');
    expect([again.status, again.text]).toEqual([409, refused.text]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.headers['cache-control']).toBe('private, no-store');
    expect(await count(server)).toBe(0);
  });

  test('another one is not', async () => {
    const server = await serve();
    await add(server, 'k1');
    await ask(server, 'POST', '/api/livres/1/prets', { body: { emprunteur: 'Léa' } });
    const path = '/api/livres/1/prets';
    const body = { emprunteur: 'Zoé' };
    expect((await add(server, 'k2', { path, body })).status).toBe(409);
    await ask(server, 'POST', '/api/prets/1/retour');
    expect((await add(server, 'k2', { path, body })).status).toBe(201);
    expect((await add(server, 'k3', { body: {} })).status).toBe(400);
    expect((await add(server, 'k3', { body: { ...livre, titre: 'Autre' } })).status).toBe(201);
  });
});

test('an answer that wrote nothing is kept like another', async () => {
  const server = await serve();
  await ask(server, 'POST', '/api/revues', { body: { titre: 'Revue' } });
  const request = { path: '/api/revues', body: { titre: 'Revue' } };
  const found = await add(server, 'k1', request);
  expect(found.status).toBe(200);
  await ask(server, 'DELETE', '/api/revues/1');
  const again = await add(server, 'k1', request);
  expect([again.status, again.text]).toEqual([200, found.text]);
});

test('an operation without a body has its key, too', async () => {
  const server = await serve();
  await add(server, 'k1');
  await ask(server, 'POST', '/api/livres/1/prets', { body: { emprunteur: 'Léa' } });
  const back = () =>
    ask(server, 'POST', '/api/prets/1/retour', { headers: { 'Idempotency-Key': 'k2' } });
  const first = await back();
  const second = await back();
  expect([second.status, second.text]).toEqual([200, first.text]);
  expect(second.headers['idempotency-replayed']).toBe('true');
});

test('origin and identity are looked at before the kept answer', async () => {
  const server = await serve();
  const path = '/api/souhaits';
  const body = { titre: 'Envie' };
  await add(server, 'k1', { path, body });
  const foreign = await ask(server, 'POST', path, {
    body,
    headers: { 'Idempotency-Key': 'k1', 'Sec-Fetch-Site': 'cross-site' },
  });
  expect(foreign.status).toBe(403);
  expect((await add(server, 'k1', { path, body, as: null })).status).toBe(401);
});

test('on PUT and DELETE the header means nothing', async () => {
  const server = await serve();
  await add(server, 'k1');
  const headers = { 'Idempotency-Key': 'k1' };
  for (const titre of ['Un', 'Deux']) {
    const answer = await ask(server, 'PUT', '/api/livres/1', {
      body: { ...livre, titre },
      headers,
    });
    expect([answer.status, answer.json()['titre']]).toEqual([200, titre]);
  }
  const odd = { 'Idempotency-Key': 'a b' };
  expect((await ask(server, 'DELETE', '/api/livres/1', { headers: odd })).status).toBe(204);
});

test('ten at once write once', async () => {
  const server = await serve();
  const answers = await Promise.all(Array.from({ length: 10 }, () => add(server, 'k1')));
  const outcomes = answers.map(({ status, json }) => (status === 201 ? 201 : json()['code']));
  expect(outcomes.filter((one) => one !== 201 && one !== 'DEMANDE_EN_COURS')).toEqual([]);
  expect((await add(server, 'k1')).status).toBe(201);
  expect(await count(server)).toBe(1);
});

test('a repeated request is refused while the first is running', async () => {
  const server = await serve();
  const { hostname, port } = new URL(server.url);
  const body = JSON.stringify(livre);
  const head = [
    'POST /api/livres HTTP/1.1',
    'Host: localhost',
    'SSO_USER: alice',
    'Content-Type: application/json',
    'Idempotency-Key: k1',
    `Content-Length: ${String(body.length)}`,
    // The service sends « 100 Continue » after it has checked the headers.
    'Expect: 100-continue',
  ];
  const socket = connect(Number(port), hostname);
  socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
  await new Promise((resolve) => socket.once('data', resolve));
  await expect.poll(async () => (await add(server, 'k1')).json()['code']).toBe('DEMANDE_EN_COURS');
  socket.destroy();
  await expect.poll(async () => (await add(server, 'k1')).status).toBe(201);
  expect(await count(server)).toBe(1);
});

test('a kept answer outlives the process', async () => {
  const first = await serve();
  const { databasePath } = first.context.config;
  const { text } = await add(first, 'k1');
  await first.close();
  const second = await serve({ DATABASE_PATH: databasePath });
  const again = await add(second, 'k1');
  expect([again.status, again.text]).toEqual([201, text]);
  expect(await count(second)).toBe(1);
});

test('a write is undone where its answer cannot be kept', async () => {
  const server = await serve();
  const { database } = server.context;
  database.write((tx) =>
    tx
      .prepare(
        `CREATE TRIGGER IdempotencyRecord_refused BEFORE INSERT ON IdempotencyRecord
       BEGIN SELECT raise(ABORT, 'refused'); END`,
      )
      .run(),
  );
  expect((await add(server, 'k1')).status).toBe(500);
  expect(await count(server)).toBe(0);
  database.write((tx) => tx.prepare('DROP TRIGGER IdempotencyRecord_refused').run());
  expect((await add(server, 'k1')).status).toBe(201);
});

test('an answer is kept for a day', async () => {
  const server = await serve();
  await add(server, 'k1');
  const { database } = server.context;
  const age = (ms: number) =>
    database.write((tx) => tx.run('UPDATE IdempotencyRecord SET date = date - ?', ms));
  age(DAY_MS - 60_000);
  expect((await add(server, 'k1')).headers['idempotency-replayed']).toBe('true');
  age(60_000);
  const body = { ...livre, titre: 'Autre' };
  expect((await add(server, 'k1', { body })).status).toBe(201);
  expect((await add(server, 'k1', { body })).headers['idempotency-replayed']).toBe('true');
});

test('a clock that is put right between two tries does no write twice', async () => {
  const server = await serve();
  await add(server, 'k1');
  // The clock was a day slow, and is corrected.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS + 60_000 });
  await add(server, 'k2', { body: { ...livre, titre: 'Autre' } });
  expect((await add(server, 'k1')).headers['idempotency-replayed']).toBe('true');
  expect(await count(server)).toBe(2);
});

test('ten thousand answers are kept, the oldest go first', async () => {
  const server = await serve();
  const { database } = server.context;
  await add(server, 'oldest');
  database.write((tx) => {
    const insert = tx.prepare<[string, number]>(
      `INSERT INTO IdempotencyRecord (utilisateur, key, fingerprint, date, status, headers, body)
       VALUES ('alice', ?, '', ?, 201, '{}', '')`,
    );
    for (let i = 1; i < 10_000; i++) insert.run(`k${String(i)}`, Date.now());
  });
  const storedKeys = () =>
    database.prepare<[], { n: number }>('SELECT count(*) AS n FROM IdempotencyRecord').get()?.n;
  expect([storedKeys(), (await add(server, 'oldest')).headers['idempotency-replayed']]).toEqual([
    10_000,
    'true',
  ]);
  await add(server, 'newest', { body: { ...livre, titre: 'Autre' } });
  expect(storedKeys()).toBe(10_000);
  expect((await add(server, 'oldest')).json()['code']).toBe('DOUBLON');
});
