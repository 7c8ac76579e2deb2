import { expect, test } from 'vitest';
import { placerVolumes } from '#server/subjects/series';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterSerie, lireSerie } from '../support/series.ts';
import { souhaiter } from '../support/souhaits.ts';

/** Books 1 and 2, and a series of two missing volumes, places 1 and 2. */
async function openSerie() {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'Le Secret' });
  await ajouterLivre(house, { titre: 'Le Trésor' });
  const serie = await ajouterSerie(house, {
    places: [
      { titre: 'Le Secret', numero: '1', auteur: 'Hergé', isbn: '2070360024' },
      { titre: 'Le Trésor', numero: '2' },
    ],
  });
  const place = (id: number | string, livreId: unknown) =>
    house.ask(null, 'PUT', `/api/places/${id}/livre`, { livreId });
  return { house, serie, place };
}

test('a book is put into a place, and taken out', async () => {
  const { house, serie, place } = await openSerie();
  const [first, second] = serie.places;
  const placed = await place(1, 1);
  expect(placed).toMatchObject({
    status: 200,
    body: { ...serie, places: [{ ...first, livreId: 1 }, second] },
  });
  expect(await lireSerie(house, 1)).toEqual(placed.body);
  expect(Number(placed.headers.get('x-revision'))).toBe(house.context.database.revision());
  expect(await place(1, 2)).toMatchObject({ body: { places: [{ livreId: 2 }, second] } });
  expect(await place(1, null)).toMatchObject({ status: 200, body: serie });
});

test('one book may be in two places', async () => {
  const { place } = await openSerie();
  await place(1, 1);
  const both = { places: [{ livreId: 1 }, { livreId: 1 }] };
  expect(await place(2, 1)).toMatchObject({ body: both });
});

test('placing a book again at its place writes nothing', async () => {
  const { house, place } = await openSerie();
  await place(1, 1);
  const { body } = await place(2, 1);
  const revision = house.context.database.revision();
  expect(await place(1, 1)).toMatchObject({ status: 200, body });
  expect(house.context.database.revision()).toBe(revision);
});

test('elements that another person added to the series meanwhile stay', async () => {
  const { house, serie, place } = await openSerie();
  const places = [...serie.places, { titre: 'Le Temple' }];
  await house.ask(null, 'PUT', '/api/series/1', { titre: 'Renommée', places });
  expect(await place(1, 1)).toMatchObject({
    body: { titre: 'Renommée', places: [{ livreId: 1 }, {}, { titre: 'Le Temple' }] },
  });
});

test('an unknown place or book is refused', async () => {
  const { house, serie, place } = await openSerie();
  for (const [id, livreId, status, code] of [
    [99, 1, 404, 'INTROUVABLE'],
    [99, 99, 404, 'INTROUVABLE'],
    [1, 99, 400, 'REQUETE_INVALIDE'],
    [1, 0, 400, 'REQUETE_INVALIDE'],
    [1, '1', 400, 'REQUETE_INVALIDE'],
    [1, undefined, 400, 'REQUETE_INVALIDE'],
  ] as const)
    expect(await place(id, livreId), `${id} ${livreId}`).toMatchObject({ status, body: { code } });
  expect(await lireSerie(house, 1)).toEqual(serie);
});

test('a refusal says which field is wrong, and why', async () => {
  const { house } = await openSerie();
  const twice = { id: 1, titre: 'Le Secret' };
  for (const [path, body, champ, message] of [
    ['places/1/livre', { livreId: 99 }, 'livreId', 'n’est plus dans la bibliothèque'],
    ['series/1', { parentId: 99 }, 'parentId', 'n’est pas une série de la bibliothèque'],
    ['livres/1/serie', { serie: { id: 9 } }, 'serie.id', 'n’est pas une série de la bibliothèque'],
    [
      'series/1',
      { places: [twice, twice] },
      'places.1.id',
      'n’est pas une place de cette série, ou est donnée deux fois',
    ],
  ] as const) {
    const answer = await house.ask(null, 'PUT', `/api/${path}`, { titre: 'Une série', ...body });
    expect(answer.body).toMatchObject({ champs: [{ champ, message }] });
  }
});

test('volumes that come together each get one place', async () => {
  const house = await openHouse();
  for (const titre of ['Un', 'Deux', 'Trois']) await ajouterLivre(house, { titre });
  await ajouterSerie(house, {
    places: [
      { titre: 'Un', livreId: 1 },
      { titre: 'Deux', numero: '2' },
      { titre: 'Quatre', numero: '4' },
    ],
  });
  const volume = (titre: string, numero: string | null, livreId: number | null) => {
    return { titre, numero, livreId, isbn: null, auteurs: [] };
  };
  const { database } = house.context;
  const placements = database.write((tx) =>
    placerVolumes(tx, 1, [
      volume('Trois', '3', 3),
      volume('Un', null, 1),
      volume('Deux', '2', 2),
      volume('Quatre', '4', null),
      volume('Neuf', '9', null),
    ]),
  );
  expect(placements).toEqual([
    { placeId: 4, outcome: 'made' },
    { placeId: 1, outcome: 'before' },
    { placeId: 2, outcome: 'filled' },
    { placeId: 3, outcome: 'before' },
    { placeId: 5, outcome: 'made' },
  ]);
  const { places } = await lireSerie(house, 1);
  expect(places.map(({ id, livreId }) => [id, livreId])).toEqual([
    [1, 1],
    [2, 2],
    [4, 3],
    [3, null],
    [5, null],
  ]);
});

test('a bought volume fills the place that it was for', async () => {
  const house = await openHouse();
  for (const titres of [['Sido', 'Chéri'], ['Sido', 'Le Blé'], ['Le Blé']])
    await ajouterSerie(house, { places: titres.map((titre) => ({ titre })) });
  await house.ask('ana', 'POST', '/api/places/3/souhait');
  for (const titre of ['Chéri', 'Le Blé', 'Ida']) await souhaiter(house, 'ana', { titre });
  for (const id of [1, 2, 3, 4]) {
    const { status } = await house.ask('ana', 'POST', `/api/souhaits/${id}/achat`, {});
    expect(status).toBe(201);
  }
  const livres = [1, 2, 3].map(async (id) =>
    (await lireSerie(house, id)).places.map(({ livreId }) => livreId),
  );
  expect(await Promise.all(livres)).toEqual([[null, 2], [1, null], [null]]);
});
