import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { userAgent } from '#server/plumbing/upstream/http';
import type { RechercheLivre } from '#shared/recherche';
import {
  testUpstream,
  DIAGNOSTICS,
  houseWithSources,
  silence,
  SILENCES,
} from '../support/upstream.ts';

/** The timeout for a silent source; the other source answers sooner, on a busy machine too. */
const PATIENCE_MS = 10_000;

const CODE = '/api/recherche-isbn/9782948012048';

test.each([
  ['the first, and the next one asked', '/api/SRU', 'injoignable', 'ok', 'openlibrary'],
  ['the next one, and what the first said is kept', '/isbn/', 'ok', 'injoignable', 'bnf'],
])('a silent source is named: %s', async (_, path, bnf, openlibrary, source) => {
  // In parallel, since some of them last until the timeout.
  await Promise.all(
    Object.keys(SILENCES).map(async (nom) => {
      const upstream = await testUpstream();
      upstream.behave(path, silence(nom));
      const house = await houseWithSources(upstream, PATIENCE_MS);
      const { status, body } = await house.ask(null, 'GET', CODE);
      expect(status, nom).toBe(200);
      expect(body, nom).toMatchObject({
        candidats: [{ source }],
        sources: [
          { nom: 'bnf', etat: bnf },
          { nom: 'openlibrary', etat: openlibrary },
        ],
      });
    }),
  );
});

test('a diagnostic is a silence, not an empty list', async () => {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream);
  for (const nom of Object.keys(DIAGNOSTICS)) {
    upstream.behave('/', silence(nom));
    const { status, body } = await house.ask(null, 'GET', CODE);
    expect(status, nom).toBe(200);
    const { candidats, sources } = body as RechercheLivre;
    expect(candidats, nom).toEqual([]);
    expect(
      sources.map(({ etat }) => etat),
      nom,
    ).toEqual(['injoignable', 'injoignable']);
  }
});

test('a failed step of two marks the source as unreachable', async () => {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream);
  const silentFrom = silence('answers 429');
  const spoken = await fetch(
    `${upstream.bnfSruUrl}?query=${encodeURIComponent('bib.isbn all "294801204X"')}`,
  );
  const record = await spoken.text();
  upstream.behave('/api/SRU', (request, response) => {
    if (request.url?.includes('978')) silentFrom(request, response);
    else response.end(record);
  });
  const { body } = await house.ask(null, 'GET', CODE);
  expect(body).toMatchObject({
    candidats: [{ source: 'bnf' }, { source: 'openlibrary' }],
    sources: [
      { nom: 'bnf', etat: 'injoignable' },
      { nom: 'openlibrary', etat: 'ok' },
    ],
  });
});

test('an edition without its authors’ answers remains a candidate', async () => {
  const upstream = await testUpstream();
  upstream.behave('/authors/OL900001A', silence('answers 500'));
  const house = await houseWithSources(upstream);
  const { body } = await house.ask(null, 'GET', '/api/recherche-isbn/9782948012178');
  expect(body).toMatchObject({
    candidats: [{ source: 'openlibrary', auteurs: ['Anders Holm'] }],
    sources: [
      { nom: 'bnf', etat: 'ok' },
      { nom: 'openlibrary', etat: 'injoignable' },
    ],
  });
});

test('redirects in a circle count as silence of the source', async () => {
  const upstream = await testUpstream();
  const house = await houseWithSources(upstream);
  for (const location of ['/books/OL1M', 'http://localhost:9/books/OL1M', undefined]) {
    const payload = JSON.stringify({ type: { key: '/type/redirect' }, location });
    upstream.behave('/isbn/', (_, response) => void response.end(payload));
    upstream.behave('/books/', (_, response) => void response.end(payload));
    const { body } = await house.ask(null, 'GET', '/api/recherche-isbn/9782948012178');
    expect((body as RechercheLivre).sources[1]).toEqual({
      nom: 'openlibrary',
      etat: 'injoignable',
    });
  }
});

test('a plain 404 is an answer', async () => {
  const upstream = await testUpstream();
  upstream.behave('/', (_, response) => void response.writeHead(404).end('{}'));
  const house = await houseWithSources(upstream);
  const { body } = await house.ask(null, 'GET', CODE);
  expect((body as RechercheLivre).sources.map(({ etat }) => etat)).toEqual(['ok', 'ok']);
});

test('nobody is listening', async () => {
  const upstream = await testUpstream();
  await upstream.close();
  const house = await houseWithSources(upstream);
  const { status, body } = await house.ask(null, 'GET', CODE);
  expect(status).toBe(200);
  expect(body).toMatchObject({ candidats: [] });
});

describe('while a source is slow', () => {
  test('the rest of the service answers', async () => {
    const upstream = await testUpstream();
    upstream.behave('/', silence('never answers'));
    const house = await houseWithSources(upstream);
    let waiting = true;
    const codes = Array.from({ length: 20 }, () => house.ask(null, 'GET', CODE).catch(() => null));
    void Promise.race(codes).then(() => (waiting = false));
    for (const path of ['/api/sante', '/api/livres', '/api/moi', '/api/version']) {
      expect((await house.ask(null, 'GET', path)).status).toBe(200);
    }
    const livre = { titre: 'La mer', format: 'Physique' };
    expect((await house.ask('lea', 'POST', '/api/livres', livre)).status).toBe(201);
    expect(waiting).toBe(true);
    await house.close();
    await Promise.all(codes);
  });

  test('takes four questions at once, two of them per person', async () => {
    const upstream = await testUpstream();
    let current = 0;
    let most = 0;
    upstream.behave('/api/SRU', (_, response) => {
      most = Math.max(most, ++current);
      void pause(15).then(() => {
        current--;
        response.writeHead(503).end();
      });
    });
    const house = await houseWithSources(upstream);
    const lookUp = (utilisateur: string | null) =>
      Promise.all(Array.from({ length: 12 }, () => house.ask(utilisateur, 'GET', CODE)));
    for (const utilisateur of ['alice', null]) {
      most = 0;
      await lookUp(utilisateur);
      expect(most).toBe(2);
    }
    most = 0;
    await Promise.all([lookUp('alice'), lookUp('bob'), lookUp(null)]);
    expect(most).toBe(4);
  });

  test('a caller with many requests waits for callers with few', async () => {
    const upstream = await testUpstream();
    const waiting: (() => void)[] = [];
    upstream.behave('/api/SRU', (_, response) => {
      waiting.push(() => void response.writeHead(404).end());
    });
    const house = await houseWithSources(upstream);
    const many = Array.from({ length: 20 }, () => house.ask('alice', 'GET', CODE));
    await expect.poll(() => waiting.length).toBe(2);
    const little = house.ask('bob', 'GET', '/api/recherche-isbn/9791032400012');
    await expect.poll(() => waiting.length).toBe(3);
    waiting.pop()?.();
    expect((await little).status).toBe(200);
    expect(waiting).toHaveLength(2);
    await house.close();
    await Promise.all(many);
  });

  test('an aborted lookup sends no more requests', async () => {
    const upstream = await testUpstream();
    const house = await houseWithSources(upstream);
    const controller = new AbortController();
    const cut = new Promise<void>((resolve) => {
      upstream.behave('/api/SRU', (_, response) => {
        response.on('close', resolve);
        controller.abort();
      });
    });
    await expect(fetch(house.url + CODE, { signal: controller.signal })).rejects.toThrow();
    await cut;
    await house.ask(null, 'GET', '/api/sante');
    expect(upstream.requests).toHaveLength(1);
  });

  test('stopping the service answers the lookups under way', async () => {
    const upstream = await testUpstream();
    const house = await houseWithSources(upstream);
    const request = new Promise<void>((resolve) =>
      upstream.behave('/', () => {
        resolve();
      }),
    );
    const answer = house.ask(null, 'GET', CODE);
    await request;
    await house.close();
    expect((await answer).body).toMatchObject({
      candidats: [],
      sources: [
        { nom: 'bnf', etat: 'injoignable' },
        { nom: 'openlibrary', etat: 'injoignable' },
      ],
    });
  });
});

test('requests to sources name the service, and no person', async () => {
  const upstream = await testUpstream();
  const headers: NodeJS.Dict<string | string[]>[] = [];
  upstream.behave('/', (request, response) => {
    headers.push(request.headers);
    response.writeHead(404).end();
  });
  const house = await houseWithSources(upstream);
  await house.ask('léa', 'GET', CODE);
  expect(headers[0]?.['user-agent']).toMatch(/^Rayonnage\/[\d.]+$/u);
  expect(userAgent('léa@maison.fr')).toMatch(/^Rayonnage\/[\d.]+ \(la@maison\.fr\)$/u);
  expect(Object.keys(headers[0] ?? {}).sort()).toEqual(['connection', 'host', 'user-agent']);
});
