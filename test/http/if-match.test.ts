import { expect, test } from 'vitest';
import { ask } from '../support/ask.ts';
import { serve, type RunningServer } from '../support/server.ts';

const livre = { titre: 'La mer', format: 'Physique' };

/** How to create, read and change a record of each kind. */
const KINDS = [
  ['livres', '/api/livres', livre, { ...livre, titre: 'La mer II' }],
  ['series', '/api/series', { titre: 'Cycle', places: [{ titre: 'Un' }] }, { titre: 'Cycle II' }],
  ['emplacements', '/api/emplacements', { nom: 'Salon' }, { nom: 'Salon II' }],
  ['revues', '/api/revues', { titre: 'Zoom' }, { titre: 'Zoom II' }],
  ['numeros', '/api/numeros', { numero: '1' }, { numero: '2' }],
  ['souhaits', '/api/souhaits', { titre: 'Envie' }, { titre: 'Envie II' }],
  ['lectures', '/api/lectures', { titre: 'Lue' }, { titre: 'Relue', fin: '2009' }],
  [
    'selections',
    '/api/selections',
    { nom: 'Lus', criteres: { statut: '2' }, partagee: true },
    { nom: 'Lus ici', criteres: { statut: '2' }, partagee: true },
  ],
  ['souhaits-revues', '/api/souhaits-revues', { titre: 'Envie' }, { titre: 'Envie II' }],
] as const;

/** Additional fields on creation: lists that have their own tables. */
const LISTS: Readonly<Partial<Record<string, object>>> = {
  '/api/livres': { auteurs: ['Colette', 'Jean Giono'] },
  '/api/numeros': { themes: ['Mer', 'Ciel'], articles: ['Un', 'Deux'] },
};

const present = async (server: RunningServer) =>
  (await ask(server, 'GET', '/api/replication')).json();

async function create(server: RunningServer, path: string, body: object) {
  if (path !== '/api/numeros') return ask(server, 'POST', path, { body });
  const revue = await ask(server, 'POST', '/api/revues', { body: { titre: 'Revue' } });
  return ask(server, 'POST', `/api/revues/${String(revue.json()['id'])}/numeros`, { body });
}

test('a record is rewritten only under its present tag', async () => {
  const server = await serve();
  for (const [kind, path, body, changed] of KINDS) {
    const created = await create(server, path, body);
    const { etag = '' } = created.headers;
    expect(etag, kind).toBe(`"${created.headers['x-revision'] ?? ''}"`);
    const record = `${path}/${String(created.json()['id'])}`;
    const rewritten = await ask(server, 'PUT', record, {
      body: changed,
      headers: { 'If-Match': etag },
    });
    expect(rewritten.status, kind).toBe(200);
    expect(rewritten.headers['etag'], kind).toBe(`"${rewritten.headers['x-revision'] ?? ''}"`);
    expect(rewritten.headers['etag'], kind).not.toBe(etag);

    const stale = await ask(server, 'PUT', record, { body, headers: { 'If-Match': etag } });
    expect([stale.status, stale.json()['code']], kind).toEqual([412, 'MODIFIE_ENTRETEMPS']);
    expect(stale.json()['actuel'], kind).toEqual(rewritten.json());
    expect(stale.headers['etag'], kind).toBe(rewritten.headers['etag']);

    const refused = await ask(server, 'DELETE', record, { headers: { 'If-Match': etag } });
    expect(refused.status, kind).toBe(412);
    const present = rewritten.headers['etag'] ?? '';
    const deleted = await ask(server, 'DELETE', record, { headers: { 'If-Match': present } });
    expect(deleted.status, kind).toBe(204);
    const gone = await ask(server, 'PUT', record, { body, headers: { 'If-Match': present } });
    expect([kind, gone.status, gone.json()['actuel'], gone.headers['etag']]).toEqual([
      kind,
      412,
      null,
      undefined,
    ]);
  }
});

test('without the header a record is rewritten as before', async () => {
  const server = await serve();
  for (const [kind, path, body, changed] of KINDS) {
    const { id } = (await create(server, path, body)).json();
    const record = `${path}/${String(id)}`;
    expect((await ask(server, 'PUT', record, { body: changed })).status, kind).toBe(200);
    expect((await ask(server, 'PUT', record, { body })).status, kind).toBe(200);
    expect((await ask(server, 'DELETE', record)).status, kind).toBe(204);
  }
});

test('a rewrite without a change keeps the tag', async () => {
  const server = await serve();
  for (const [kind, path, body] of KINDS) {
    const created = await create(server, path, { ...body, ...LISTS[path] });
    const { id } = created.json();
    const again = await ask(server, 'PUT', `${path}/${String(id)}`, { body: created.json() });
    expect(again.status, kind).toBe(200);
    expect(again.json(), kind).toEqual(created.json());
    expect(again.headers['etag'], kind).toBe(created.headers['etag']);
    expect(again.headers['x-revision'], kind).toBe(String((await present(server)).revision));
    expect(again.headers['x-modification'], kind).toBeUndefined();
  }
});

test('an unknown id is not found, with any If-Match', async () => {
  const server = await serve();
  for (const [, path, body] of KINDS) {
    await create(server, path, body);
    for (const header of ['"1"', '*', 'W/"1"']) {
      const headers = { 'If-Match': header };
      const asked = `${path} ${header}`;
      expect((await ask(server, 'PUT', `${path}/99`, { body, headers })).status, asked).toBe(404);
      expect((await ask(server, 'DELETE', `${path}/99`, { headers })).status, asked).toBe(404);
    }
  }
});

test('a book is rewritten if one of several tags of If-Match matches', async () => {
  const server = await serve();
  const cases: readonly [string, number][] = [
    ['"{}"', 200],
    ['W/"{}"', 200],
    ['*', 200],
    [' * ', 200],
    ['"0", "{}"', 200],
    ['"0",W/"{}" , "x"', 200],
    ['"0"', 412],
    ['W/"0"', 412],
    ['"0", "x"', 412],
    ['{}', 412],
    ['""', 412],
    ['', 412],
    ['"{}', 412],
    ['"0",,"{}"', 200],
    ['"0" "{}"', 412],
    ['x"{}"', 412],
    ['"{}"x', 412],
    ['w/"{}"', 412],
    ['*, "{}"', 412],
  ];
  for (const [index, [header, expected]] of cases.entries()) {
    const body = { ...livre, titre: `La mer ${String(index)}` };
    const { headers, json } = await ask(server, 'POST', '/api/livres', { body });
    const path = `/api/livres/${String(json()['id'])}`;
    const { status } = await ask(server, 'PUT', path, {
      body: livre,
      headers: { 'If-Match': header.replaceAll('{}', headers['x-revision'] ?? '') },
    });
    expect(status, header).toBe(expected);
    const { titre } = (await ask(server, 'GET', path)).json();
    expect(titre, header).toBe((status === 200 ? livre : body).titre);
  }
});

test('of simultaneous saves one wins, and the others are refused', async () => {
  const server = await serve();
  const { headers } = await ask(server, 'POST', '/api/livres', { body: livre });
  const answers = await Promise.all(
    ['Un', 'Deux', 'Trois'].map((titre) =>
      ask(server, 'PUT', '/api/livres/1', {
        body: { ...livre, titre },
        headers: { 'If-Match': headers['etag'] ?? '' },
      }),
    ),
  );
  const [winner] = answers.filter(({ status }) => status === 200);
  const losers = answers.filter(({ status }) => status === 412);
  expect(losers).toHaveLength(2);
  for (const loser of losers) expect(loser.json()['actuel']).toEqual(winner?.json());
});

test('a refused write leaves the tag as it was', async () => {
  const server = await serve();
  const { headers } = await ask(server, 'POST', '/api/livres', { body: livre });
  const invalid = await ask(server, 'PUT', '/api/livres/1', {
    body: {},
    headers: { 'If-Match': '"0"' },
  });
  expect(invalid.status).toBe(400);
  expect((await ask(server, 'GET', '/api/livres/1')).headers['etag']).toBe(headers['etag']);
});

test('the record in a 412 is that of its caller', async () => {
  const server = await serve();
  await ask(server, 'POST', '/api/livres', { body: livre });
  await ask(server, 'PUT', '/api/livres/1/statut', { body: { statut: 2 } });
  const put = (as: string | null) =>
    ask(server, 'PUT', '/api/livres/1', { as, body: livre, headers: { 'If-Match': '"0"' } });
  expect((await put('alice')).json()['actuel']).toMatchObject({ statut: 2 });
  expect((await put('bob')).json()['actuel']).toMatchObject({ statut: null });
  expect((await put(null)).json()['actuel']).toMatchObject({ statut: null });
});

test('another reader’s wish is not found, with any If-Match', async () => {
  const server = await serve();
  const { headers } = await ask(server, 'POST', '/api/souhaits', { body: { titre: 'Envie' } });
  const put = (header: string) =>
    ask(server, 'PUT', '/api/souhaits/1', {
      as: 'bob',
      body: { titre: 'Autre' },
      headers: { 'If-Match': header },
    });
  for (const header of [headers['etag'] ?? '', '"0"', '*'])
    expect((await put(header)).status).toBe(404);
  await ask(server, 'DELETE', '/api/souhaits/1');
  expect((await put('"0"')).status).toBe(404);
});

test('a status or an order takes no notice of If-Match', async () => {
  const server = await serve();
  await ask(server, 'POST', '/api/livres', { body: livre });
  await ask(server, 'POST', '/api/souhaits', { body: { titre: 'Envie' } });
  const headers = { 'If-Match': '"0"' };
  const statut = await ask(server, 'PUT', '/api/livres/1/statut', {
    body: { statut: 1 },
    headers,
  });
  const order = await ask(server, 'PUT', '/api/souhaits/ordre', { body: { ids: [1] }, headers });
  for (const { status, headers: answered } of [statut, order]) {
    expect(status).toBe(200);
    expect(answered['etag']).toBeUndefined();
  }
});

test('a tag changes with its record’s own parts alone', async () => {
  const server = await serve();
  const created = await ask(server, 'POST', '/api/livres', { body: livre });
  const pret = await ask(server, 'POST', '/api/livres/1/prets', { body: { emprunteur: 'Léa' } });
  expect(pret.headers['etag']).toBe(`"${pret.headers['x-revision'] ?? ''}"`);
  await ask(server, 'PUT', '/api/livres/1/statut', { body: { statut: 1 } });
  const read = await ask(server, 'GET', '/api/livres/1');
  expect(read.headers['etag']).toBe(created.headers['etag']);

  const serie = await ask(server, 'POST', '/api/series', {
    body: { titre: 'Cycle', places: [{ titre: 'Un' }, { titre: 'Deux' }] },
  });
  const headers = { 'If-Match': serie.headers['etag'] ?? '' };
  const elements = [{ place: 2 }, { place: 1 }];
  const order = () => ask(server, 'PUT', '/api/series/1/ordre', { body: { elements }, headers });
  expect((await order()).status).toBe(200);
  expect((await order()).status).toBe(412);
  const placed = await ask(server, 'PUT', '/api/places/2/livre', {
    body: { livreId: 1 },
    headers,
  });
  expect([placed.status, placed.json()['actuel']]).toMatchObject([412, { id: 1, titre: 'Cycle' }]);
});

test('If-None-Match works for responses without personal data', async () => {
  const server = await serve();
  await ask(server, 'POST', '/api/livres', { body: livre });
  await ask(server, 'POST', '/api/series', { body: { titre: 'Cycle' } });
  await create(server, '/api/numeros', { numero: '1' });
  for (const [path, status] of [
    ['/api/series/1', 304],
    ['/api/revues/1', 304],
    ['/api/numeros/1', 304],
    ['/api/livres/1', 200],
  ] as const) {
    const { headers } = await ask(server, 'GET', path);
    for (const header of [headers['etag'] ?? '', `W/${headers['etag'] ?? ''}`, '"0"'])
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask(server, method, path, { headers: { 'If-None-Match': header } });
        expect(answer.status, path).toBe(header === '"0"' ? 200 : status);
        expect(answer.headers['etag'], path).toBe(headers['etag']);
        const hasBody = answer.status === 200 && method === 'GET';
        expect(answer.text !== '', `${method} ${path}`).toBe(hasBody);
      }
  }
});

test('a rewrite to the same value announces nothing to devices', async () => {
  const server = await serve();
  await ask(server, 'POST', '/api/livres', { body: { ...livre, auteurs: ['Colette'] } });
  const puts = [
    ['/api/livres/1/statut', { statut: 1 }],
    ['/api/auteurs/1', { nom: 'Colette' }],
  ] as const;
  for (const [path, body] of puts) {
    const first = await ask(server, 'PUT', path, { body });
    const again = await ask(server, 'PUT', path, { body });
    expect([again.status, again.headers['x-revision']]).toEqual([200, first.headers['x-revision']]);
    expect(again.headers['etag']).toBe(first.headers['etag']);
  }
});
