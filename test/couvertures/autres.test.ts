import { describe, expect, test } from 'vitest';
import type { AutreCouverture, Couverture } from '#shared/couvertures';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { envelope, recordXml } from '../../demo/upstream/sru.ts';
import { image } from './support/choosing.ts';
import { ISBN, sourceWith } from './support/others.ts';
import { keptKeys, picture } from './support/pictures.ts';
import { gives, isbnPath, openSource } from './support/source.ts';

test('a person can choose one of at most eight offered pictures', async () => {
  const { house } = await sourceWith(12);
  const { body } = await house.ask('ana', 'GET', '/api/livres/1/autres-couvertures');
  const offers = body as AutreCouverture[];
  expect(offers).toHaveLength(8);
  expect(new Set(offers.map(({ cle }) => cle)).size).toBe(8);
  expect(offers.map(({ origine }) => origine)).toContain('bnf');
  const [, second] = offers;
  const cle = second?.cle ?? '';
  expect((await image(house, cle, 'page', 'ana')).status).toBe(200);
  expect((await image(house, cle, 'page', 'bob')).status).toBe(404);

  const path = '/api/livres/1/autres-couvertures';
  expect((await house.ask('bob', 'PUT', path, { cle })).status).toBe(404);
  const chosen = await house.ask('ana', 'PUT', path, { cle });
  expect(chosen).toMatchObject({ status: 200, body: { couverture: { cle, source: 'personne' } } });
  expect(chosen.headers.get('x-modification')).not.toBeNull();
  expect((await image(house, cle, 'page', 'bob')).status).toBe(200);
});

describe('records without offered pictures', () => {
  const PATH = '/api/livres/1/autres-couvertures';

  test('sources that have nothing have nothing', async () => {
    const { source, house } = await sourceWith(0);
    source.fail();
    source.behave('/api/SRU', gives(Buffer.from(envelope([])), 'application/xml'));
    const answer = await house.ask('ana', 'GET', PATH);
    expect(answer).toMatchObject({ status: 200, body: [] });
  });

  test.each([
    ['with an ISBN', ISBN],
    ['without one', null],
  ])('of a book %s silent sources are no empty sources', async (_, isbn) => {
    const house = await openHouse(undefined, {
      OPEN_LIBRARY_COVERS_URL: 'http://127.0.0.1:9',
      OPEN_LIBRARY_URL: 'http://127.0.0.1:9',
      BNF_SRU_URL: 'http://127.0.0.1:9/api/SRU',
    });
    await ajouterLivre(house, { isbn });
    const answer = await house.ask('ana', 'GET', PATH);
    expect(answer).toMatchObject({ status: 502, body: { code: 'CATALOGUES_INJOIGNABLES' } });
  });

  test('a picture refused for now is no missing picture', async () => {
    const { source, house } = await sourceWith(1);
    source.behave('/b/id/1-L.jpg', (response) => void response.writeHead(503).end());
    source.behave('/api/SRU', gives(Buffer.from(envelope([])), 'application/xml'));
    const answer = await house.ask('ana', 'GET', PATH);
    expect(answer).toMatchObject({ status: 502, body: { code: 'CATALOGUES_INJOIGNABLES' } });
  });

  test('a full disk says so, and leaves nothing', async () => {
    const { house } = await sourceWith(2);
    const { store } = house.context.covers;
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    store.write = () => Promise.reject(full);
    const answer = await house.ask('ana', 'GET', PATH);
    expect(answer).toMatchObject({ status: 507, body: { code: 'DISQUE_PLEIN' } });
    expect(keptKeys(house.context)).toEqual([]);
  });
});

test('a silent source leaves the other’s covers', async () => {
  const { source, house } = await sourceWith(2);
  source.behave('/api/SRU', (response) => void response.writeHead(500).end());
  const { body } = await house.ask('ana', 'GET', '/api/livres/1/autres-couvertures');
  expect((body as AutreCouverture[]).map(({ origine }) => origine)).toEqual([
    'openlibrary',
    'openlibrary',
  ]);
});

test('a response that is no picture is skipped', async () => {
  const { source, house } = await sourceWith(2);
  source.behave('/b/id/1-L.jpg', gives(Buffer.from('no picture')));
  const { status, body } = await house.ask('ana', 'GET', '/api/livres/1/autres-couvertures');
  const sources = (body as AutreCouverture[]).map(({ origine }) => origine).sort();
  expect([status, sources]).toEqual([200, ['bnf', 'openlibrary']]);
});

test('nothing is fetched for a person who has left', async () => {
  const { source, house } = await sourceWith(1);
  const path = '/api/livres/1/autres-couvertures';
  const closed = new Promise<void>((resolve) => {
    source.behave('/api/SRU', (response) => void response.on('close', resolve));
  });
  const leaving = new AbortController();
  const asked = fetch(house.url + path, {
    headers: house.headersOf('ana'),
    signal: leaving.signal,
  });
  await expect.poll(() => source.asked).toContain('/api/SRU');
  leaving.abort();
  await expect(asked).rejects.toThrow();
  await closed;
  source.behave('/api/SRU', gives(Buffer.from(envelope([])), 'application/xml'));
  expect(await house.ask('bob', 'GET', path)).toMatchObject({ status: 200, body: [{}] });
  expect(source.asked.filter((each) => each === '/b/id/1-L.jpg')).toHaveLength(1);
});

test('a picture that was never offered cannot be chosen', async () => {
  const { house } = await sourceWith(1);
  const cle = 'a'.repeat(64);
  const path = '/api/livres/1/autres-couvertures';
  expect((await house.ask('ana', 'PUT', path, { cle })).status).toBe(404);
  const { body } = await house.ask('ana', 'GET', '/api/livres/1');
  expect((body as { couverture: Couverture | null }).couverture).toBeNull();
});

describe('the offered pictures', () => {
  const PATH = '/api/livres/1/autres-couvertures';
  const json = (value: unknown) => gives(Buffer.from(JSON.stringify(value)), 'application/json');

  /** A household with one book, and simulated sources; each picture has its own width. */
  async function open(isbn: string | null = ISBN) {
    const source = await openSource();
    const house = await openHouse(undefined, {
      OPEN_LIBRARY_COVERS_URL: source.url,
      OPEN_LIBRARY_URL: source.url,
      BNF_SRU_URL: `${source.url}/api/SRU`,
    });
    await ajouterLivre(house, { titre: 'Phare', isbn });
    source.behave('/api/SRU', gives(Buffer.from(envelope([])), 'application/xml'));
    source.behave('/couverture', gives(await picture('#dddddd')));
    const show = async (path: string, width: number) =>
      source.behave(path, gives(await picture('#204060', { width })));
    const hasNumbers = (path: string, count: number) =>
      source.behave(path, json({ covers: Array.from({ length: count }, (_, i) => i + 1) }));
    const widths = async () => {
      const { body } = await house.ask('ana', 'GET', PATH);
      return (body as AutreCouverture[]).map(({ origine, largeur }) => `${origine} ${largeur}`);
    };
    const pictures = () => source.asked.filter((path) => path.startsWith('/b/'));
    return { source, house, show, hasNumbers, widths, pictures };
  }

  test('is of the work alone, its own edition first', async () => {
    const { source, show, hasNumbers, widths, pictures } = await open();
    const [own, same, sequel] = [1, 2, 3].map((n) => `cb90000000${n}`);
    const record = (ark = '', titre = 'Phare', numeros: string[] = []) =>
      recordXml({ ark, titre, numeros });
    source.behave('/api/SRU', (response) => {
      const found = response.req.url?.includes(ISBN)
        ? [record(own, 'Le phare', [`ISBN ${ISBN}`])]
        : [record(sequel, 'Phare rouge'), record(same, 'PHARE'), record(own)];
      gives(Buffer.from(envelope(found)), 'application/xml')(response);
    });
    for (const [n, ark] of [own, same, sequel].entries())
      await show(`/couverture?appName=NE&idArk=ark:/12148/${ark}&couverture=1`, 110 + n);
    hasNumbers(`/isbn/${ISBN}.json`, 3);
    for (const n of [1, 2, 3]) await show(`/b/id/${n}-L.jpg`, 100 + n);
    await show(isbnPath(ISBN), 120);
    expect(await widths()).toEqual([
      'openlibrary 101',
      'bnf 110',
      'openlibrary 102',
      'bnf 111',
      'openlibrary 103',
    ]);
    expect(pictures()).toHaveLength(3);
  });

  test('is looked for in sixteen places, until eight pictures differ', async () => {
    const { show, hasNumbers, widths, pictures } = await open();
    hasNumbers(`/isbn/${ISBN}.json`, 20);
    for (let n = 1; n <= 8; n++) await show(`/b/id/${n}-L.jpg`, 101);
    await show('/b/id/16-L.jpg', 116);
    await show('/b/id/17-L.jpg', 117);
    expect(await widths()).toEqual(['openlibrary 101', 'openlibrary 116']);
    expect(pictures()).toHaveLength(16);
    for (let n = 1; n <= 20; n++) await show(`/b/id/${n}-L.jpg`, 100 + n);
    expect(await widths()).toHaveLength(8);
    // Requests may be running when the eighth picture arrives.
    expect(pictures().length).toBeLessThanOrEqual(16 + 11);
  });

  test('is the ISBN’s picture where no other is known', async () => {
    const { house, show, widths, pictures } = await open();
    await show(isbnPath(ISBN), 120);
    const { fetcher } = house.context.covers;
    for (let n = 1; n < 100; n++) expect(fetcher.takeCounted()).toBe(true);
    expect(await widths()).toEqual(['openlibrary 120']);
    expect(await widths()).toEqual([]);
    expect(pictures()).toEqual([isbnPath(ISBN)]);
  });

  test.each([ISBN, null])('is found by its title where ISBN %s fails', async (isbn) => {
    const { source, show, widths, pictures } = await open(isbn);
    source.behave('/search.json', json({ docs: [{ key: '/works/OL1W' }] }));
    source.behave('/works/OL1W/editions.json', json({ entries: [{ covers: [7] }] }));
    await show('/b/id/7-L.jpg', 107);
    expect(await widths()).toEqual(['openlibrary 107']);
    expect(pictures()).toHaveLength(1);
    const byIsbn = source.asked.filter((path) => path.startsWith('/isbn/'));
    expect(byIsbn).toEqual(isbn === null ? [] : [`/isbn/${isbn}.json`]);
  });

  test('is not nothing where one picture is refused for now', async () => {
    const { source, house, hasNumbers } = await open();
    hasNumbers(`/isbn/${ISBN}.json`, 2);
    source.behave('/b/id/2-L.jpg', (response) => void response.writeHead(503).end());
    expect(await house.ask('ana', 'GET', PATH)).toMatchObject({ status: 502 });
  });
});
