import { expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { ranked } from './support/compare.ts';
import { act, houseOf, livre, LIVRES, obstaclesTo, takeBack } from './support/requests.ts';

test('an undoing that rewrites, then restores a book is undone', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const { database } = house.context;
  const titled = await act(house, 'PUT', '/api/livres/1', livre('Gigi', 'Willy'));
  const signed = await act(house, 'PUT', '/api/livres/1', livre('Gigi', 'Anna'));
  const unsigned = await takeBack(house, signed);
  const before = ranked(database);
  const removed = await act(house, 'DELETE', '/api/livres/1');
  // The book comes back by Anna, once it does.
  const signedAgain = await takeBack(house, unsigned);
  const gone = ranked(database);
  const untitled = await takeBack(house, titled, '?avec=obstacles');
  expect((await house.ask('ana', 'GET', '/api/livres/1')).body).toMatchObject({
    titre: 'Sido',
    auteurs: [{ nom: 'Colette' }],
  });
  await takeBack(house, untitled);
  expect(ranked(database)).toEqual(gone);
  await takeBack(house, signedAgain);
  await takeBack(house, removed);
  expect(ranked(database)).toEqual(before);
});

test('a deletion done again with what came before goes back', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const { database } = house.context;
  const titled = await act(house, 'PUT', '/api/livres/1', livre('Gigi', 'Willy'));
  const before = ranked(database);
  const signed = await act(house, 'PUT', '/api/livres/1', livre('Gigi', 'Anna'));
  const removed = await act(house, 'DELETE', '/api/livres/1');
  const untitled = await takeBack(house, titled, '?avec=obstacles');
  const there = ranked(database);
  const again = await takeBack(house, untitled);
  const unsigned = await takeBack(house, signed);
  // The deletion was one of several steps, which left the book by Anna.
  expect(await obstaclesTo(house, again)).toEqual([unsigned]);
  await takeBack(house, again, '?avec=obstacles');
  expect(ranked(database)).toEqual(there);
  await takeBack(house, untitled);
  await takeBack(house, removed);
  await takeBack(house, signed);
  expect(ranked(database)).toEqual(before);
});

test('a deletion made again with a merge goes back', async () => {
  const house = await houseOf(
    ['POST', LIVRES, livre('Sido', 'Colette')],
    ['POST', LIVRES, livre('Gigi', 'Willy')],
  );
  const { database } = house.context;
  const first = ranked(database);
  const merged = await act(house, 'POST', '/api/auteurs/fusions', { auteurs: [1, 2] });
  const one = ranked(database);
  const removed = await act(house, 'DELETE', '/api/livres/2');
  const back = await takeBack(house, removed);
  const parted = await takeBack(house, merged);
  const again = await takeBack(house, back, '?avec=obstacles');
  const gone = ranked(database);
  const partedAgain = await takeBack(house, merged);
  await takeBack(house, partedAgain);
  expect(ranked(database)).toEqual(gone);
  await takeBack(house, again);
  expect(ranked(database)).toEqual(first);
  await takeBack(house, parted);
  expect(ranked(database)).toEqual(one);
  await takeBack(house, back);
  await takeBack(house, removed);
  await takeBack(house, merged);
  expect(ranked(database)).toEqual(first);
});

const named = (auteurs: string[], themes: string[]) => ({ ...livre('Sido', ...auteurs), themes });

test.each([
  ['a theme taken off and put on again', named([], ['mer']), named([], []), named([], ['mer'])],
  ['an author replaced later', named(['Willy'], []), named([], []), named(['Colette'], [])],
])('%s stays with the deleted book', async (_, first, second, third) => {
  const house = await houseOf(['POST', LIVRES, first]);
  const { database } = house.context;
  const taken = await act(house, 'PUT', '/api/livres/1', second);
  const put = await act(house, 'PUT', '/api/livres/1', third);
  const there = ranked(database);
  const removed = await act(house, 'DELETE', '/api/livres/1');
  const gone = ranked(database);
  expect(await obstaclesTo(house, taken)).toEqual([put]);
  await takeBack(house, await takeBack(house, taken, '?avec=obstacles'));
  expect(ranked(database)).toEqual(gone);
  await takeBack(house, removed);
  expect(ranked(database)).toEqual(there);
});

test.each([
  ['set', [1]],
  ['changed', [1, 2]],
  ['taken away', [1, null]],
])('a status %s is undone while its book is gone', async (_, statuts) => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const { database } = house.context;
  const states = [ranked(database)];
  const acts: string[] = [];
  for (const statut of statuts) {
    acts.push(await act(house, 'PUT', '/api/livres/1/statut', { statut }));
    states.push(ranked(database));
  }
  const removed = await act(house, 'DELETE', '/api/livres/1');
  const unmarked = await takeBack(house, acts.at(-1) ?? '');
  const back = await takeBack(house, removed);
  expect(ranked(database)).toEqual(states.at(-2));
  await takeBack(house, back);
  await takeBack(house, unmarked);
  await takeBack(house, removed);
  expect(ranked(database)).toEqual(states.at(-1));
});

test('a status undone after its book’s addition stays undone', async () => {
  const house = await openHouse();
  const { database } = house.context;
  const added = await act(house, 'POST', LIVRES, livre('Sido', 'Colette'));
  const before = ranked(database);
  const marked = await act(house, 'PUT', '/api/livres/1/statut', { statut: 1 });
  const taken = await takeBack(house, added);
  await takeBack(house, marked);
  await takeBack(house, taken);
  expect(ranked(database)).toEqual(before);
});

test('a status taken away before its book hinders', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const marked = await act(house, 'PUT', '/api/livres/1/statut', { statut: 1 });
  const cleared = await act(house, 'PUT', '/api/livres/1/statut', { statut: null });
  await act(house, 'DELETE', '/api/livres/1');
  expect(await obstaclesTo(house, marked)).toEqual([cleared]);
});
