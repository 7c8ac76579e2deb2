import { expect, test } from 'vitest';
import type { Auteur } from '#shared/auteurs';
import { openHouse, type House } from '../support/house.ts';
import { ajouterLivre } from '../support/livres.ts';

const auteurs = async (house: House) =>
  (await house.ask(null, 'GET', '/api/auteurs')).body as Auteur[];

test('authors keep the order of the cover, each counted once', async () => {
  const house = await openHouse();
  const { auteurs: cites } = await ajouterLivre(house, {
    auteurs: ['Zoé', { nom: 'Ada' }, '', ' ', 'zoe', 'Bob'],
  });
  expect(cites.map(({ nom }) => nom)).toEqual(['Zoé', 'Ada', 'Bob']);
  expect((await auteurs(house)).map(({ nom }) => nom)).toEqual(['Ada', 'Bob', 'Zoé']);
});

test('a more presentable spelling becomes the shown name, everywhere', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'A', auteurs: ['HUGO, VICTOR'] });
  await ajouterLivre(house, { titre: 'B', auteurs: ['Victor Hugo'] });
  const { auteurs: cites } = await ajouterLivre(house, { titre: 'C', auteurs: ['victor hugo'] });
  expect(cites).toEqual([{ id: 1, nom: 'Victor Hugo' }]);
  expect((await house.ask(null, 'GET', '/api/livres/1')).body).toMatchObject({ auteurs: cites });
  expect(await auteurs(house)).toEqual([
    { id: 1, nom: 'Victor Hugo', nomNormalise: 'victor hugo', nombreLivres: 3 },
  ]);
});

test('an author is deleted with the last book', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { titre: 'A', auteurs: ['Ada', 'Bob'] });
  await ajouterLivre(house, { titre: 'B', auteurs: ['Bob', 'Zoé'] });
  await house.ask(null, 'PUT', '/api/livres/1', {
    titre: 'A',
    format: 'Physique',
    auteurs: ['Bob'],
  });
  expect((await auteurs(house)).map(({ nom, nombreLivres }) => [nom, nombreLivres])).toEqual([
    ['Bob', 2],
    ['Zoé', 1],
  ]);
  await house.ask(null, 'DELETE', '/api/livres/2');
  expect((await auteurs(house)).map(({ nom }) => nom)).toEqual(['Bob']);
});

test('a renamed author is renamed in every book', async () => {
  const house = await openHouse();
  await ajouterLivre(house, { auteurs: ['Emile Ajar'] });
  await ajouterLivre(house, { titre: 'B', auteurs: ['Bob'] });
  const renamed = await house.ask(null, 'PUT', '/api/auteurs/1', { nom: ' Romain Gary ' });
  expect(renamed).toMatchObject({
    status: 200,
    body: { id: 1, nom: 'Romain Gary', nomNormalise: 'romain gary', nombreLivres: 1 },
  });
  expect(Number(renamed.headers.get('x-revision'))).toBe(house.context.database.revision());
  expect((await house.ask(null, 'GET', '/api/livres/1')).body).toMatchObject({
    auteurs: [{ id: 1, nom: 'Romain Gary' }],
  });
  const taken = await house.ask(null, 'PUT', '/api/auteurs/1', { nom: 'BOB' });
  expect(taken).toMatchObject({
    status: 409,
    body: { code: 'AUTEUR_EXISTANT', auteur: { id: 2, nom: 'Bob' } },
  });
  expect((await house.ask(null, 'PUT', '/api/auteurs/2', { nom: 'BOB' })).body).toMatchObject({
    nom: 'BOB',
  });
  expect((await house.ask(null, 'PUT', '/api/auteurs/9', { nom: 'X' })).status).toBe(404);
  expect((await house.ask(null, 'PUT', '/api/auteurs/9', { nom: 'Bob' })).status).toBe(404);
  expect((await house.ask(null, 'PUT', '/api/auteurs/1', { nom: ' ' })).status).toBe(400);
});
