import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RechercheLivre } from '#shared/recherche';
import { amontDeTest, DIAGNOSTICS, maisonReliee, silence, SILENCES } from '../support/upstream.ts';

const CODE = '/api/recherche-isbn/9782948012048';

describe.each(Object.keys(SILENCES))('a source that %s', (nom) => {
  test('is named, and the next one asked', async () => {
    const amont = await amontDeTest();
    amont.conduire('/api/SRU', silence(nom));
    const maison = await maisonReliee(amont, 300);
    const { status, body } = await maison.ask(null, 'GET', CODE);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      candidats: [{ source: 'openlibrary' }],
      sources: [
        { nom: 'bnf', etat: 'injoignable' },
        { nom: 'openlibrary', etat: 'ok' },
      ],
    });
  });

  test('leaves what the other one said', async () => {
    const amont = await amontDeTest();
    amont.conduire('/isbn/', silence(nom));
    const maison = await maisonReliee(amont, 300);
    const { body } = await maison.ask(null, 'GET', CODE);
    expect(body).toMatchObject({
      candidats: [{ source: 'bnf' }],
      sources: [
        { nom: 'bnf', etat: 'ok' },
        { nom: 'openlibrary', etat: 'injoignable' },
      ],
    });
  });
});

test.each(Object.keys(DIAGNOSTICS))('%s is a silence, not an empty list', async (nom) => {
  const amont = await amontDeTest();
  amont.conduire('/', silence(nom));
  const maison = await maisonReliee(amont, 300);
  const { status, body } = await maison.ask(null, 'GET', CODE);
  expect(status).toBe(200);
  expect((body as RechercheLivre).candidats).toEqual([]);
  expect((body as RechercheLivre).sources.map(({ etat }) => etat)).toEqual([
    'injoignable',
    'injoignable',
  ]);
});

test('one step of two that fails is enough to name the source', async () => {
  const amont = await amontDeTest();
  const maison = await maisonReliee(amont);
  const muette = silence('answers 429');
  const parle = await fetch(
    `${amont.bnfSruUrl}?query=${encodeURIComponent('bib.isbn all "294801204X"')}`,
  );
  const notice = await parle.text();
  amont.conduire('/api/SRU', (request, response) => {
    if (request.url?.includes('978')) muette(request, response);
    else response.end(notice);
  });
  const { body } = await maison.ask(null, 'GET', CODE);
  expect(body).toMatchObject({
    candidats: [{ source: 'bnf' }, { source: 'openlibrary' }],
    sources: [
      { nom: 'bnf', etat: 'injoignable' },
      { nom: 'openlibrary', etat: 'ok' },
    ],
  });
});

test('an edition whose authors do not come is a candidate without them', async () => {
  const amont = await amontDeTest();
  amont.conduire('/authors/OL900001A', silence('answers 500'));
  const maison = await maisonReliee(amont);
  const { body } = await maison.ask(null, 'GET', '/api/recherche-isbn/9782948012178');
  expect(body).toMatchObject({
    candidats: [{ source: 'openlibrary', auteurs: ['Anders Holm'] }],
    sources: [
      { nom: 'bnf', etat: 'ok' },
      { nom: 'openlibrary', etat: 'injoignable' },
    ],
  });
});

test('merged records that lead in a circle, or nowhere, are a silence', async () => {
  const amont = await amontDeTest();
  const maison = await maisonReliee(amont);
  for (const location of ['/books/OL1M', 'http://localhost:9/books/OL1M', undefined]) {
    const corps = JSON.stringify({ type: { key: '/type/redirect' }, location });
    amont.conduire('/isbn/', (_, response) => void response.end(corps));
    amont.conduire('/books/', (_, response) => void response.end(corps));
    const { body } = await maison.ask(null, 'GET', '/api/recherche-isbn/9782948012178');
    expect((body as RechercheLivre).sources[1]).toEqual({
      nom: 'openlibrary',
      etat: 'injoignable',
    });
  }
});

test('a plain 404 is an answer', async () => {
  const amont = await amontDeTest();
  amont.conduire('/', (_, response) => void response.writeHead(404).end('{}'));
  const maison = await maisonReliee(amont);
  const { body } = await maison.ask(null, 'GET', CODE);
  expect((body as RechercheLivre).sources.map(({ etat }) => etat)).toEqual(['ok', 'ok']);
});

test('nobody is listening', async () => {
  const amont = await amontDeTest();
  await amont.close();
  const maison = await maisonReliee(amont);
  const { status, body } = await maison.ask(null, 'GET', CODE);
  expect(status).toBe(200);
  expect(body).toMatchObject({ candidats: [] });
});

describe('while a source is slow', () => {
  test('the rest of the service answers', async () => {
    const amont = await amontDeTest();
    amont.conduire('/', silence('never answers'));
    const maison = await maisonReliee(amont, 60_000);
    let attend = true;
    const codes = Array.from({ length: 20 }, () => maison.ask(null, 'GET', CODE).catch(() => null));
    void Promise.race(codes).then(() => (attend = false));
    for (const chemin of ['/api/sante', '/api/livres', '/api/moi', '/api/version']) {
      expect((await maison.ask(null, 'GET', chemin)).status).toBe(200);
    }
    const livre = { titre: 'La mer', format: 'Physique' };
    expect((await maison.ask('lea', 'POST', '/api/livres', livre)).status).toBe(201);
    expect(attend).toBe(true);
    await maison.close();
    await Promise.all(codes);
  });

  test('it is asked by four at a time', async () => {
    const amont = await amontDeTest();
    let presentes = 0;
    let plus = 0;
    amont.conduire('/api/SRU', (_, response) => {
      plus = Math.max(plus, ++presentes);
      void pause(15).then(() => {
        presentes--;
        response.writeHead(503).end();
      });
    });
    const maison = await maisonReliee(amont);
    await Promise.all(Array.from({ length: 12 }, () => maison.ask(null, 'GET', CODE)));
    expect(plus).toBe(4);
  });

  test('a lookup that is given up asks nothing more', async () => {
    const amont = await amontDeTest();
    const maison = await maisonReliee(amont, 60_000);
    const abandon = new AbortController();
    const coupee = new Promise<void>((resolve) => {
      amont.conduire('/api/SRU', (_, response) => {
        response.on('close', resolve);
        abandon.abort();
      });
    });
    await expect(fetch(maison.url + CODE, { signal: abandon.signal })).rejects.toThrow();
    await coupee;
    await maison.ask(null, 'GET', '/api/sante');
    expect(amont.demandes).toHaveLength(1);
  });

  test('stopping the service answers the lookups under way', async () => {
    const amont = await amontDeTest();
    const maison = await maisonReliee(amont, 60_000);
    const demande = new Promise<void>((resolve) =>
      amont.conduire('/', () => {
        resolve();
      }),
    );
    const reponse = maison.ask(null, 'GET', CODE);
    await demande;
    await maison.close();
    expect((await reponse).body).toMatchObject({
      candidats: [],
      sources: [
        { nom: 'bnf', etat: 'injoignable' },
        { nom: 'openlibrary', etat: 'injoignable' },
      ],
    });
  });
});

test('the service names itself and its contact, in ASCII, and nobody else', async () => {
  const amont = await amontDeTest();
  const entetes: NodeJS.Dict<string | string[]>[] = [];
  amont.conduire('/', (request, response) => {
    entetes.push(request.headers);
    response.writeHead(404).end();
  });
  const maison = await maisonReliee(amont);
  await maison.ask('léa', 'GET', CODE);
  expect(entetes[0]?.['user-agent']).toMatch(
    /^Rayonnage\/[\d.]+ \(https?:[!-~]+; [!-~]+@[!-~]+\)$/u,
  );
  expect(Object.keys(entetes[0] ?? {}).sort()).toEqual(['connection', 'host', 'user-agent']);
});
