import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterSerie } from '../support/series.ts';
import { rangs } from '../support/souhaits.ts';

/** A series of an owned volume (place 1) and a missing one (place 2). */
async function serie() {
  const house = await openHouse();
  await ajouterLivre(house);
  await ajouterSerie(house, {
    places: [
      { titre: 'Tome 1', livreId: 1 },
      { titre: 'Le Secret', numero: '2', auteur: 'Hergé', isbn: '2070360024' },
    ],
  });
  return house;
}

test('a missing volume goes on the caller’s own list, with what is known of it', async () => {
  const house = await serie();
  const { status, body, headers } = await house.ask('ana', 'POST', '/api/places/2/souhait');
  expect(status).toBe(201);
  expect(body).toMatchObject({
    titre: 'Le Secret',
    auteur: 'Hergé',
    isbn: '9782070360024',
    coverUrl: 'https://covers.openlibrary.org/b/isbn/9782070360024-L.jpg?default=false',
    rang: 1,
  });
  expect(Number(headers.get('x-revision'))).toBe(house.context.database.revision());
  expect(await rangs(house, 'ana')).toEqual(['1 Le Secret']);
  expect(await rangs(house, 'bob')).toEqual([]);
  const again = await house.ask('ana', 'POST', '/api/places/2/souhait');
  expect(again).toMatchObject({ status: 400, body: { code: 'SOUHAIT_EXISTANT' } });
  expect((await house.ask('bob', 'POST', '/api/places/2/souhait')).status).toBe(201);
});

test('an owned volume is not wished for, until its book is gone', async () => {
  const house = await serie();
  const souhaiter = () => house.ask('ana', 'POST', '/api/places/1/souhait');
  expect(await souhaiter()).toMatchObject({ status: 409, body: { code: 'PLACE_OCCUPEE' } });
  await house.ask(null, 'DELETE', '/api/livres/1');
  expect(await souhaiter()).toMatchObject({ status: 201, body: { titre: 'Tome 1' } });
});

test('nobody known has no list to put it on', async () => {
  const house = await serie();
  for (const id of ['1', '2', '99', 'x'])
    expect(await house.ask(null, 'POST', `/api/places/${id}/souhait`)).toMatchObject({
      status: 401,
      body: { code: 'IDENTITE_INCONNUE' },
    });
});
