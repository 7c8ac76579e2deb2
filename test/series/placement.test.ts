import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterSerie, lireSerie } from '../support/series.ts';

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

test('a book is put into a place, moved and taken out; the rest of the series stays', async () => {
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

test('one book may stand in two places, and placing it again writes nothing', async () => {
  const { house, place } = await openSerie();
  await place(1, 1);
  const both = { places: [{ livreId: 1 }, { livreId: 1 }] };
  expect(await place(2, 1)).toMatchObject({ body: both });
  const revision = house.context.database.revision();
  expect(await place(1, 1)).toMatchObject({ status: 200, body: both });
  expect(house.context.database.revision()).toBe(revision);
});

test('what another has added to the series meanwhile stays', async () => {
  const { house, serie, place } = await openSerie();
  const places = [...serie.places, { titre: 'Le Temple' }];
  await house.ask(null, 'PUT', '/api/series/1', { titre: 'Renommée', places });
  expect(await place(1, 1)).toMatchObject({
    body: { titre: 'Renommée', places: [{ livreId: 1 }, {}, { titre: 'Le Temple' }] },
  });
});

test('a place or a book that there is not is refused', async () => {
  const { house, serie, place } = await openSerie();
  for (const [id, livreId, status, code] of [
    [99, 1, 404, 'INTROUVABLE'],
    [1, 99, 400, 'REQUETE_INVALIDE'],
    [1, 0, 400, 'REQUETE_INVALIDE'],
    [1, '1', 400, 'REQUETE_INVALIDE'],
    [1, undefined, 400, 'REQUETE_INVALIDE'],
  ] as const)
    expect(await place(id, livreId), `${id} ${livreId}`).toMatchObject({ status, body: { code } });
  expect(await lireSerie(house, 1)).toEqual(serie);
});
