import { describe, expect, test } from 'vitest';
import type { AutreCouverture, Couverture } from '#shared/couvertures';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { envelope } from '../../demo/upstream/sru.ts';
import { image } from './support/choosing.ts';
import { ISBN, sourceWith } from './support/others.ts';
import { keptKeys } from './support/pictures.ts';
import { gives } from './support/source.ts';

test('at most eight are offered, each once, and one of them is chosen', async () => {
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

describe('where nothing is offered', () => {
  const PATH = '/api/livres/1/autres-couvertures';

  test('sources that have nothing have nothing', async () => {
    const { source, house } = await sourceWith(0);
    source.fail();
    source.behave('/api/SRU', gives(Buffer.from(envelope([])), 'application/xml'));
    const answer = await house.ask('ana', 'GET', PATH);
    expect(answer).toMatchObject({ status: 200, body: [] });
  });

  test('sources that do not answer are told from those that have nothing', async () => {
    const house = await openHouse(undefined, {
      OPEN_LIBRARY_COVERS_URL: 'http://127.0.0.1:9',
      OPEN_LIBRARY_URL: 'http://127.0.0.1:9',
      BNF_SRU_URL: 'http://127.0.0.1:9/api/SRU',
    });
    await ajouterLivre(house, { isbn: ISBN });
    const answer = await house.ask('ana', 'GET', PATH);
    expect(answer).toMatchObject({ status: 502, body: { code: 'CATALOGUES_INJOIGNABLES' } });
  });

  test('a picture that its source does not give for now is no picture that there is not', async () => {
    const { source, house } = await sourceWith(1);
    source.behave('/b/id/1-L.jpg', (response) => void response.writeHead(503).end());
    source.behave('/api/SRU', gives(Buffer.from(envelope([])), 'application/xml'));
    const answer = await house.ask('ana', 'GET', PATH);
    expect(answer).toMatchObject({ status: 502, body: { code: 'CATALOGUES_INJOIGNABLES' } });
  });

  test('a full disk says so, and leaves nothing', async () => {
    const { house } = await sourceWith(2);
    const { library } = house.context.covers;
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    library.write = () => Promise.reject(full);
    const answer = await house.ask('ana', 'GET', PATH);
    expect(answer).toMatchObject({ status: 507, body: { code: 'DISQUE_PLEIN' } });
    expect(keptKeys(house.context)).toEqual([]);
  });
});

test('a source that does not answer leaves what the other has', async () => {
  const { source, house } = await sourceWith(2);
  source.behave('/api/SRU', (response) => void response.writeHead(500).end());
  const { body } = await house.ask('ana', 'GET', '/api/livres/1/autres-couvertures');
  expect((body as AutreCouverture[]).map(({ origine }) => origine)).toEqual([
    'openlibrary',
    'openlibrary',
  ]);
});

test('a picture that was never offered cannot be chosen', async () => {
  const { house } = await sourceWith(1);
  const cle = 'a'.repeat(64);
  const path = '/api/livres/1/autres-couvertures';
  expect((await house.ask('ana', 'PUT', path, { cle })).status).toBe(404);
  const { body } = await house.ask('ana', 'GET', '/api/livres/1');
  expect((body as { couverture: Couverture | null }).couverture).toBeNull();
});
