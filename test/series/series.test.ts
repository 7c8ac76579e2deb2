import { describe, expect, test } from 'vitest';
import type { Serie, SerieSaisie } from '#shared/series';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterSerie, lireSerie, ordre } from '../support/series.ts';
import { documentsOf } from '../support/replication.ts';

const put = (house: House, id: number, saisie: Partial<SerieSaisie>) =>
  house.ask(null, 'PUT', `/api/series/${String(id)}`, { titre: 'Une série', ...saisie });

const titres = (...titres: string[]) => titres.map((titre) => ({ titre }));

describe('a series', () => {
  test('has its places in reading order, owned and missing ones', async () => {
    const house = await openHouse();
    const { id: livreId } = await ajouterLivre(house);
    const { status, body, headers } = await house.ask(null, 'POST', '/api/series', {
      titre: ' Fondation ',
      places: [
        { titre: 'Fondation', numero: '1', livreId },
        { titre: ' Seconde Fondation ', numero: ' 3 bis ', auteur: ' ', isbn: '2-07-036002-4' },
        { titre: 'Prélude', auteur: 'Isaac Asimov' },
      ],
    });
    expect(status).toBe(201);
    const vide = { numero: null, tomes: null, livreId: null, auteur: null, isbn: null };
    const serie = {
      id: 1,
      titre: 'Fondation',
      parentId: null,
      nombreTomes: null,
      places: [
        { ...vide, id: 1, titre: 'Fondation', numero: '1', livreId },
        { ...vide, id: 2, titre: 'Seconde Fondation', numero: '3 bis', isbn: '9782070360024' },
        { ...vide, id: 3, titre: 'Prélude', auteur: 'Isaac Asimov' },
      ],
      sousSeries: [],
      elements: [{ place: 1 }, { place: 2 }, { place: 3 }],
    };
    expect(body).toEqual(serie);
    expect(headers.get('location')).toBe('/api/series/1');
    expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
    expect((await house.ask(null, 'GET', '/api/series/1')).body).toEqual(serie);
    expect((await house.ask(null, 'GET', '/api/series')).body).toEqual([serie]);
    expect(await documentsOf(house, null, 'series')).toEqual([serie]);
  });

  test('is listed by title, then by id', async () => {
    const house = await openHouse();
    for (const titre of ['Zoo', 'Émile', 'élan']) await ajouterSerie(house, { titre });
    await ajouterSerie(house, { titre: 'Zoo', parentId: 2 });
    const { body } = await house.ask(null, 'GET', '/api/series');
    expect((body as Serie[]).map(({ id, titre }) => `${String(id)} ${titre}`)).toEqual([
      '3 élan',
      '2 Émile',
      '1 Zoo',
      '4 Zoo',
    ]);
  });

  test('stays as it was when written as it was read', async () => {
    const house = await openHouse();
    await ajouterSerie(house, { titre: 'Cycle', places: titres('A', 'B') });
    await ajouterSerie(house, { titre: 'Dedans', parentId: 1 });
    await house.ask(null, 'PUT', '/api/series/1/ordre', {
      elements: [{ place: 2 }, { serie: 2 }, { place: 1 }],
    });
    const { body } = await house.ask(null, 'GET', '/api/series/1');
    const again = await house.ask(null, 'PUT', '/api/series/1', body);
    expect(again).toMatchObject({ status: 200, body: body as object });
    expect((await lireSerie(house, 1)).elements).toEqual([
      { place: 2 },
      { serie: 2 },
      { place: 1 },
    ]);
  });

  test('keeps the ids of its places, and deletes missing ones', async () => {
    const house = await openHouse();
    await ajouterSerie(house, { places: titres('A', 'B', 'C') });
    const { status, body } = await put(house, 1, {
      places: [{ titre: 'Neuf' }, { id: 3, titre: 'C', numero: '3' }, { id: 1, titre: 'A' }],
    });
    expect(status).toBe(200);
    expect((body as Serie).places.map(({ id, titre, numero }) => [id, titre, numero])).toEqual([
      [4, 'Neuf', null],
      [3, 'C', '3'],
      [1, 'A', null],
    ]);
    expect((await put(house, 1, {})).body).toMatchObject({ places: [], elements: [] });
    await put(house, 1, { places: titres('D') });
    expect((await lireSerie(house, 1)).places[0]?.id).toBe(5);
  });

  test('a place keeps its title when its book goes', async () => {
    const house = await openHouse();
    await ajouterLivre(house);
    await ajouterSerie(house, { places: [{ titre: 'Le tome 1', livreId: 1 }] });
    await ajouterSerie(house, { titre: 'Une autre', places: [{ titre: 'T1', livreId: 1 }] });
    const { headers } = await house.ask(null, 'DELETE', '/api/livres/1');
    expect((await lireSerie(house, 1)).places).toMatchObject([
      { titre: 'Le tome 1', livreId: null },
    ]);
    expect(await documentsOf(house, null, 'series')).toMatchObject([
      { places: [{ livreId: null }] },
      { places: [{ livreId: null }] },
    ]);
    expect(house.context.database.revision()).toBe(Number(headers.get('x-revision')));
  });
});

describe('a refused series', () => {
  /** A household in which a book was deleted, series 1 has place 1, and series 2 place 2. */
  async function openSeries() {
    const house = await openHouse();
    await ajouterLivre(house);
    await house.ask(null, 'DELETE', '/api/livres/1');
    await ajouterSerie(house, { titre: 'Une', places: titres('A') });
    await ajouterSerie(house, { titre: 'Deux', places: titres('B') });
    return house;
  }

  const REFUSED: readonly [name: string, saisie: object, refus: object][] = [
    ['a parent that there is not', { parentId: 99 }, { champs: [{ champ: 'parentId' }] }],
    [
      'a book that is gone',
      { places: [{ titre: 'A' }, { titre: 'B', livreId: 1 }] },
      { champs: [{ champ: 'places.1.livreId' }] },
    ],
    [
      'another’s place',
      { places: [{ id: 2, titre: 'B' }] },
      { champs: [{ champ: 'places.0.id' }] },
    ],
    [
      'a place that never was',
      { places: [{ id: 99, titre: 'B' }] },
      { champs: [{ champ: 'places.0.id' }] },
    ],
    [
      'a place twice',
      {
        places: [
          { id: 1, titre: 'A' },
          { id: 1, titre: 'B' },
        ],
      },
      { champs: [{ champ: 'places.1.id' }] },
    ],
    [
      'a place without title',
      { places: [{ titre: ' ' }] },
      { champs: [{ champ: 'places.0.titre' }] },
    ],
    [
      'an ISBN that is none',
      { places: [{ titre: 'A', isbn: '2070360025' }] },
      { code: 'ISBN_INVALIDE' },
    ],
    ['no title', { titre: '' }, { champs: [{ champ: 'titre' }] }],
    ['a title of 501 characters', { titre: 'a'.repeat(501) }, { champs: [{ champ: 'titre' }] }],
    ['places that are no list', { places: 'A, B' }, { champs: [{ champ: 'places' }] }],
  ];

  test('leaves nothing half written', async () => {
    const house = await openSeries();
    const revision = house.context.database.revision();
    for (const [name, saisie, refus] of REFUSED) {
      const payload = { titre: 'Une', places: [{ id: 1, titre: 'Z' }], ...saisie };
      const answers = [await put(house, 1, payload)];
      // In a new series, places have no id yet.
      if (!('champs' in refus) || !JSON.stringify(refus).includes('places.1.id'))
        answers.push(await house.ask(null, 'POST', '/api/series', { titre: 'Une', ...saisie }));
      for (const { status, body } of answers)
        expect([status, body], name).toMatchObject([400, { code: 'REQUETE_INVALIDE', ...refus }]);
      expect(house.context.database.revision(), name).toBe(revision);
    }
    expect(await ordre(house, 1)).toEqual(['A']);
    expect((await house.ask(null, 'GET', '/api/series')).body).toHaveLength(2);
  });

  test('an unknown series or place is answered as not found', async () => {
    const house = await openSeries();
    for (const id of ['99', '0', 'x']) {
      const one = `/api/series/${id}`;
      for (const [method, path, body] of [
        ['GET', one],
        ['PUT', one, { titre: 'A' }],
        ['DELETE', one],
        ['PUT', `${one}/ordre`, { elements: [] }],
        ['POST', `/api/places/${id}/souhait`],
      ] as const)
        expect(await house.ask('ana', method, path, body)).toMatchObject({
          status: 404,
          body: { code: 'INTROUVABLE' },
        });
    }
  });
});

describe('a cycle of series', () => {
  /** Series 1 holds 2, which holds 3. */
  async function cycle() {
    const house = await openHouse();
    await ajouterSerie(house, { titre: 'Un' });
    await ajouterSerie(house, { titre: 'Deux', parentId: 1 });
    await ajouterSerie(house, { titre: 'Trois', parentId: 2 });
    return house;
  }

  test('has no series inside itself', async () => {
    const house = await cycle();
    for (const [id, parentId] of [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 3],
    ] as const) {
      const { status, body } = await put(house, id, { parentId });
      const asked = `${String(id)} in ${String(parentId)}`;
      expect([status, body], asked).toMatchObject([400, { code: 'CYCLE_IMPOSSIBLE' }]);
      expect((await lireSerie(house, 1)).sousSeries, asked).toEqual([{ id: 2, titre: 'Deux' }]);
    }
  });

  test('shows renamed sub-series, those moved here at the end', async () => {
    const house = await cycle();
    await put(house, 2, { titre: 'Second', parentId: 1 });
    expect((await lireSerie(house, 1)).sousSeries).toEqual([{ id: 2, titre: 'Second' }]);
    await ajouterSerie(house, { titre: 'Quatre', places: titres('A') });
    await put(house, 2, { titre: 'Deux', parentId: 4 });
    await put(house, 1, { titre: 'Un', parentId: 3 });
    expect(await ordre(house, 1)).toEqual([]);
    expect(await ordre(house, 4)).toEqual(['A', '[Deux]']);
    await put(house, 2, { titre: 'Deux' });
    expect(await ordre(house, 4)).toEqual(['A']);
    expect((await lireSerie(house, 2)).parentId).toBeNull();
  });

  test('sub-series of a deleted one move up into its place', async () => {
    const house = await openHouse();
    await ajouterSerie(house, { titre: 'Cycle', places: titres('A', 'B') });
    await ajouterSerie(house, { titre: 'Milieu', parentId: 1, places: titres('X') });
    for (const titre of ['M1', 'M2']) await ajouterSerie(house, { titre, parentId: 2 });
    await house.ask(null, 'PUT', '/api/series/2/ordre', {
      elements: [{ serie: 4 }, { place: 3 }, { serie: 3 }],
    });
    await house.ask(null, 'PUT', '/api/series/1/ordre', {
      elements: [{ place: 1 }, { serie: 2 }, { place: 2 }],
    });
    const { status, body } = await house.ask(null, 'DELETE', '/api/series/2');
    expect([status, body]).toEqual([204, null]);
    expect(await ordre(house, 1)).toEqual(['A', '[M2]', '[M1]', 'B']);
    await house.ask(null, 'DELETE', '/api/series/1');
    expect((await lireSerie(house, 3)).parentId).toBeNull();
    expect((await house.ask(null, 'GET', '/api/series')).body).toHaveLength(2);
  });
});
