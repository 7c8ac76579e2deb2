import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';
import { ajouterSerie, lireSerie } from '../support/series.ts';
import { rangs } from '../support/souhaits.ts';

/** A series with an owned volume (place 1) and a missing one (place 2). */
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

test('a wish for a missing volume contains the known data', async () => {
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

test('an owned volume is wished for only without its book', async () => {
  const house = await serie();
  const souhaiter = () => house.ask('ana', 'POST', '/api/places/1/souhait');
  expect(await souhaiter()).toMatchObject({ status: 409, body: { code: 'PLACE_OCCUPEE' } });
  await house.ask(null, 'DELETE', '/api/livres/1');
  expect(await souhaiter()).toMatchObject({ status: 201, body: { titre: 'Tome 1' } });
});

test('a volume that an owned book holds with others is owned', async () => {
  const house = await openHouse();
  await ajouterLivre(house);
  await ajouterSerie(house, {
    places: [
      { titre: 'Intégrale 1-3', numero: 'Intégrale 1-3', livreId: 1 },
      { titre: 'Le Secret', numero: '2' },
      { titre: 'Le Retour', numero: '4' },
    ],
  });
  const souhaiter = (id: number) => house.ask('ana', 'POST', `/api/places/${String(id)}/souhait`);
  expect(await souhaiter(2)).toMatchObject({ status: 409, body: { code: 'PLACE_OCCUPEE' } });
  expect((await souhaiter(3)).status).toBe(201);
});

test('an unknown caller has no wish list for it', async () => {
  const house = await serie();
  for (const id of ['1', '2', '99', 'x'])
    expect(await house.ask(null, 'POST', `/api/places/${id}/souhait`)).toMatchObject({
      status: 401,
      body: { code: 'IDENTITE_INCONNUE' },
    });
});

test('the history lists a finished series and its added volumes', async () => {
  const house = await openHouse();
  const livre = await ajouterLivre(house, { titre: 'Un' });
  const places = [
    { titre: 'Un', numero: '1', livreId: livre.id },
    { titre: 'Trois', numero: '3' },
  ];
  const { id } = await ajouterSerie(house, { titre: 'Astérix', places });
  const edit = async (changes: object) => {
    const known = await lireSerie(house, id);
    const answer = await house.ask(null, 'PUT', `/api/series/${String(id)}`, {
      ...known,
      ...changes,
    });
    return decodeURIComponent(answer.headers.get('X-Modification-Resume') ?? '');
  };
  expect(await edit({ nombreTomes: 3 })).toBe('Finie en 3 volumes : Astérix');
  const [first, second] = (await lireSerie(house, id)).places;
  expect(await edit({ places: [first, { titre: 'Deux', numero: '2' }, second] })).toBe(
    'Ajouté : 1 volume qui manque à Astérix',
  );
  expect(await edit({ nombreTomes: null })).toBe('N’est plus finie : Astérix');
  expect((await lireSerie(house, id)).places.map(({ numero }) => numero)).toEqual(['1', '2', '3']);
});
