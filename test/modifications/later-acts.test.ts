import { expect, test } from 'vitest';
import type { Serie } from '#shared/series';
import { householdRows } from './support/household.ts';
import { act, houseOf, livre, LIVRES, undo } from './support/requests.ts';

test('a place that went when its addition was taken back is moved by no later act', async () => {
  const house = await houseOf([
    'POST',
    '/api/series',
    { titre: 'Dune', places: [{ titre: 'Un' }, { titre: 'Deux' }] },
  ]);
  const before = householdRows(house.context.database);
  const add = (titre: string, numero: string) =>
    act(house, 'POST', LIVRES, { ...livre(titre), place: { serie: { titre: 'Dune' }, numero } });
  const last = await add('Sept', '7');
  const between = await add('Six', '6');
  const { places } = (await house.ask('ana', 'GET', '/api/series/1')).body as Serie;
  const left = places.filter(({ titre }) => titre !== 'Deux');
  const removal = await act(house, 'PUT', '/api/series/1', { titre: 'Dune', places: left });
  for (const id of [last, removal, between])
    expect((await undo(house, id)).body).not.toHaveProperty('raison');
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a location stays for a book that stood in it when it was deleted', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido')]);
  const before = householdRows(house.context.database);
  const location = await act(house, 'POST', '/api/emplacements', { nom: 'Salon' });
  const standing = await act(house, 'PUT', '/api/livres/1/emplacement', { emplacementId: 1 });
  const removal = await act(house, 'DELETE', '/api/livres/1');
  expect((await undo(house, location)).body).toMatchObject({
    raison: 'Le livre a été supprimé depuis.',
  });
  for (const id of [removal, standing, location])
    expect((await undo(house, id)).body).not.toHaveProperty('raison');
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a book does not come back to another author who has been given the name of its own', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Chéri', 'Colette')],
    ['POST', LIVRES, livre('Ida', 'Willy')],
  );
  const before = householdRows(house.context.database);
  const removal = await act(house, 'DELETE', '/api/livres/1');
  const renaming = await act(house, 'PUT', '/api/auteurs/2', { nom: 'Colette' });
  expect((await undo(house, removal)).body).toMatchObject({
    raison: 'Un autre auteur porte ce nom depuis.',
  });
  for (const id of [renaming, removal])
    expect((await undo(house, id)).body).not.toHaveProperty('raison');
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a book comes back to the author whom a book added since has given the full name', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Un', 'Jean Martin')]);
  const removal = await act(house, 'DELETE', '/api/livres/1');
  await act(house, 'POST', LIVRES, livre('Deux', 'J. Martin'));
  await act(house, 'POST', LIVRES, livre('Trois', 'Jean Martin'));
  expect((await undo(house, removal)).body).not.toHaveProperty('raison');
  const { body } = await house.ask('ana', 'GET', '/api/auteurs');
  expect(body).toMatchObject([{ nom: 'Jean Martin', nombreLivres: 3 }]);
});
