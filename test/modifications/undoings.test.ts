import { expect, test } from 'vitest';
import { act, houseOf, livre, LIVRES, obstaclesTo, takeBack } from './support/requests.ts';

test('an undoing that left a row unchanged is an obstacle', async () => {
  const house = await houseOf();
  const added = await act(house, 'POST', '/api/emplacements', { nom: 'Salon' });
  const undone = await takeBack(house, added);
  const again = await takeBack(house, undone);
  const gone = await takeBack(house, again);
  const third = await takeBack(house, undone);
  const last = await takeBack(house, third);
  const fourth = await takeBack(house, undone);
  const both = await takeBack(house, gone, '?avec=obstacles');
  expect(await obstaclesTo(house, last)).toEqual([both, fourth]);
  await takeBack(house, last, '?avec=obstacles');
  expect((await house.ask('ana', 'GET', '/api/emplacements')).body).toMatchObject([{ id: 1 }]);
});

test('an undoing of acts that cancel out is an obstacle', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const write = (nombrePages: number | null) =>
    act(house, 'PUT', '/api/livres/1', { ...livre('Sido', 'Colette'), nombrePages });
  const first = await write(96);
  await write(null);
  const second = await write(96);
  const undone = await takeBack(house, second);
  const redone = await takeBack(house, undone);
  const third = await takeBack(house, first);
  const both = await takeBack(house, second, '?avec=obstacles');
  expect(await obstaclesTo(house, redone)).toEqual([both, third]);
  await takeBack(house, redone, '?avec=obstacles');
});

test('the last of many undoings decides whether an act counts', async () => {
  const house = await houseOf();
  const added = await act(house, 'POST', '/api/emplacements', { nom: 'Salon' });
  const removed = await act(house, 'DELETE', '/api/emplacements/1');
  let last = removed;
  for (let n = 0; n < 4; n++) last = await takeBack(house, last);
  expect(await obstaclesTo(house, added)).toEqual([removed]);
});

test('what was undone since is in nobody’s way', async () => {
  const house = await houseOf();
  const name = (nom: string) => act(house, 'PUT', '/api/bibliotheque', { nom });
  const first = await name('Nord');
  const second = await name('Sud');
  await takeBack(house, await name('Est'));
  expect(await obstaclesTo(house, first)).toEqual([second]);
});

test('a status brought back yields to its person’s undoing', async () => {
  const house = await houseOf();
  await act(house, 'POST', LIVRES, livre('Sido', 'Colette'));
  const marked = await house.ask('bob', 'PUT', '/api/livres/1/statut', { statut: 2 });
  const gone = await act(house, 'DELETE', '/api/livres/1');
  const back = await takeBack(house, gone);
  const undo = `/api/modifications/${marked.headers.get('X-Modification') ?? ''}/annulation`;
  expect((await house.ask('bob', 'POST', undo)).status).toBe(201);
  await takeBack(house, back);
  expect((await house.ask('ana', 'GET', LIVRES)).body).toEqual([]);
});

test('a redoing that wrote last is undone before its act', async () => {
  const house = await houseOf();
  const name = (nom: string) => act(house, 'PUT', '/api/bibliotheque', { nom });
  const first = await name('Île');
  const gone = await takeBack(house, first);
  const again = await takeBack(house, gone);
  const goneAgain = await takeBack(house, again);
  const third = await takeBack(house, gone);
  const goneThird = await takeBack(house, first);
  const fourth = await takeBack(house, goneThird);
  const second = await name('Sud');
  const both = await takeBack(house, fourth, '?avec=obstacles');
  await takeBack(house, third, '?avec=obstacles');
  const bothAgain = await takeBack(house, both);
  const last = await takeBack(house, second);
  expect(await obstaclesTo(house, goneAgain)).toEqual([last, bothAgain]);
  await takeBack(house, goneAgain, '?avec=obstacles');
  expect((await house.ask('ana', 'GET', '/api/bibliotheque')).body).toMatchObject({ nom: 'Île' });
});

test('a book back within one undoing leaves with its place', async () => {
  const house = await houseOf();
  const saisie = { ...livre('Sido', 'Colette'), place: { serie: { titre: 'Est' }, numero: '1' } };
  const added = await act(house, 'POST', LIVRES, saisie);
  const gone = await takeBack(house, added);
  const again = await takeBack(house, gone);
  await act(house, 'DELETE', '/api/livres/1');
  const both = await takeBack(house, again, '?avec=obstacles');
  await takeBack(house, gone);
  const redone = await takeBack(house, both, '?avec=obstacles');
  const back = await takeBack(house, redone);
  const series = async () => (await house.ask('ana', 'GET', '/api/series')).body;
  expect(await series()).toMatchObject([{ titre: 'Est' }]);
  const all = await takeBack(house, added, '?avec=obstacles');
  expect(await series()).toEqual([]);
  await takeBack(house, all);
  await takeBack(house, back);
});
