import { expect, test } from 'vitest';
import type { Serie } from '#shared/series';
import { householdRows } from './support/household.ts';
import { act, houseOf, livre, LIVRES, undo, undoAct, type Request } from './support/requests.ts';

test('no later act moves a place whose addition was undone', async () => {
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
  const remaining = places.filter(({ titre }) => titre !== 'Deux');
  const removal = await act(house, 'PUT', '/api/series/1', { titre: 'Dune', places: remaining });
  for (const id of [last, removal, between]) await undoAct(house, id);
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a location stays for a deleted book that stood there', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido')]);
  const before = householdRows(house.context.database);
  const location = await act(house, 'POST', '/api/emplacements', { nom: 'Salon' });
  const standing = await act(house, 'PUT', '/api/livres/1/emplacement', { emplacementId: 1 });
  const removal = await act(house, 'DELETE', '/api/livres/1');
  expect((await undo(house, location)).body).toMatchObject({
    raison: 'Le livre a été supprimé depuis.',
  });
  for (const id of [removal, standing, location]) await undoAct(house, id);
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a book does not return to its author’s later namesake', async () => {
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
  for (const id of [renaming, removal]) await undoAct(house, id);
  expect(householdRows(house.context.database)).toEqual(before);
});

test('a book returns to its author named in full since', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Un', 'Jean Martin')]);
  const removal = await act(house, 'DELETE', '/api/livres/1');
  await act(house, 'POST', LIVRES, livre('Deux', 'J. Martin'));
  await act(house, 'POST', LIVRES, livre('Trois', 'Jean Martin'));
  await undoAct(house, removal);
  const { body } = await house.ask('ana', 'GET', '/api/auteurs');
  expect(body).toMatchObject([{ nom: 'Jean Martin', nombreLivres: 3 }]);
});

test('a book is restored with its author, not a namesake', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Chéri', 'Colette')]);
  const removal = await act(house, 'DELETE', '/api/livres/1');
  await act(house, 'POST', LIVRES, livre('Gigi', 'Colette'));
  const others = Array.from({ length: 20 }, (_, n) => `Anna Nord${String(n)}`);
  await act(house, 'POST', LIVRES, livre('Choix', ...others));
  await act(house, 'PUT', '/api/auteurs/20', { nom: 'Willy' });
  await undoAct(house, removal);
  expect((await house.ask('ana', 'GET', '/api/livres/1')).body).toMatchObject({
    auteurs: [{ id: 1, nom: 'Colette' }],
  });
});

test('undoing a rename ignores a deleted book with the name', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Willy')]);
  const renaming = await act(house, 'PUT', '/api/auteurs/1', { nom: 'Colette' });
  await act(house, 'POST', LIVRES, livre('Chéri', 'Colette'));
  await act(house, 'DELETE', '/api/livres/2');
  await undoAct(house, renaming);
  expect((await house.ask('ana', 'GET', '/api/auteurs')).body).toMatchObject([{ nom: 'Willy' }]);
});

test('an element deleted twice is restored beside its neighbour', async () => {
  const house = await houseOf(
    ...['Salon', 'Chambre', 'Cave'].map((nom): Request => ['POST', '/api/emplacements', { nom }]),
  );
  const order = await act(house, 'PUT', '/api/emplacements/ordre', { ids: [3, 2, 1] });
  const remove = () => act(house, 'DELETE', '/api/emplacements/1');
  await undoAct(house, await remove());
  const removal = await remove();
  for (const id of [order, removal]) await undoAct(house, id);
  const listed = (await house.ask('ana', 'GET', '/api/emplacements')).body as { nom: string }[];
  expect(listed.map(({ nom }) => nom)).toEqual(['Chambre', 'Salon', 'Cave']);
});

test('an author who came back is the same once renamed', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Sido', 'Willy')],
    ['POST', LIVRES, livre('Ida', 'Willy')],
  );
  const edited = await act(house, 'PUT', '/api/livres/2', livre('Ida'));
  await undoAct(house, await act(house, 'DELETE', '/api/livres/1'));
  await act(house, 'PUT', '/api/auteurs/1', { nom: 'Colette' });
  await undoAct(house, edited);
  expect((await house.ask('ana', 'GET', '/api/auteurs')).body).toMatchObject([
    { id: 1, nom: 'Colette', nombreLivres: 2 },
  ]);
});

test('a book restored twice is in its place again', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Dune')],
    ['POST', LIVRES, livre('Arrakis')],
    ['POST', '/api/series', { titre: 'Dune', places: [{ titre: 'Un', livreId: 2 }] }],
  );
  const edit = await act(house, 'PUT', '/api/places/1/livre', { livreId: 1 });
  const before = householdRows(house.context.database);
  const removal = await act(house, 'DELETE', '/api/livres/1');
  const restored = await undoAct(house, removal);
  await undoAct(house, await undoAct(house, edit));
  await undoAct(house, restored);
  await undoAct(house, removal);
  expect(householdRows(house.context.database)).toEqual(before);
});

test('only fields that are still changed are obstacles', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido')]);
  const before = householdRows(house.context.database);
  const put = (titre: string, annee: number | null) =>
    act(house, 'PUT', '/api/livres/1', { ...livre(titre), annee });
  const away = await put('Claudine', null);
  const home = await put('Sido', null);
  const both = await put('Gigi', 1944);
  const back = await put('Sido', 1944);
  const removal = await act(house, 'DELETE', '/api/livres/1');
  expect((await undo(house, both)).body).toMatchObject({
    raison: 'Le livre a été supprimé depuis.',
  });
  expect((await undo(house, away)).body).toMatchObject({
    raison: 'Le livre a été supprimé depuis.',
  });
  for (const id of [removal, back, both, home, away]) await undoAct(house, id);
  expect(householdRows(house.context.database)).toEqual(before);
});

test.each<[string, Request, Request, string]>([
  [
    'a field',
    ['POST', LIVRES, livre('Sido')],
    ['PUT', '/api/livres/1', { ...livre('Sido'), annee: 1929 }],
    'Le livre a été modifié depuis.',
  ],
  [
    'a record',
    ['POST', '/api/series', { titre: 'Dune' }],
    ['DELETE', '/api/series/1'],
    'La série a été modifiée depuis.',
  ],
])(
  'an act that is undone for the second time gives back %s, and the undoing in between stays',
  async (_, made, changed, raison) => {
    const house = await houseOf(made);
    const before = householdRows(house.context.database);
    const id = await act(house, ...changed);
    const redone = await undoAct(house, await undoAct(house, id));
    await undoAct(house, id);
    expect((await undo(house, redone)).body).toMatchObject({
      raison,
      acte: 'L’annulation ne peut plus être annulée',
    });
    expect(householdRows(house.context.database)).toEqual(before);
  },
);

test('a refused undoing hides a wish from other people', async () => {
  const house = await houseOf(['POST', '/api/souhaits', { titre: 'Sido' }]);
  const purchase = await act(house, 'POST', '/api/souhaits/1/achat', {});
  await act(house, 'POST', '/api/souhaits', { titre: 'Sido' });
  expect((await undo(house, purchase)).body).toMatchObject({
    raison: 'Le souhait est de nouveau sur la liste.',
  });
  const path = `/api/modifications/${purchase}/annulation`;
  const { body } = await house.ask('bob', 'POST', path);
  expect(body).toMatchObject({
    raison: 'Seule la personne qui l’a fait peut l’annuler.',
    obstacles: [],
  });
});
