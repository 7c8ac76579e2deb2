import { expect, test } from 'vitest';
import { act, houseOf, livre, LIVRES, obstaclesTo, undoAct } from './support/requests.ts';

test('an undoing that left a row unchanged is an obstacle', async () => {
  const house = await houseOf();
  const added = await act(house, 'POST', '/api/emplacements', { nom: 'Salon' });
  const undone = await undoAct(house, added);
  const again = await undoAct(house, undone);
  const undoing = await undoAct(house, again);
  const third = await undoAct(house, undone);
  const last = await undoAct(house, third);
  const fourth = await undoAct(house, undone);
  const both = await undoAct(house, undoing, '?avec=obstacles');
  expect(await obstaclesTo(house, last)).toEqual([both, fourth]);
  await undoAct(house, last, '?avec=obstacles');
  expect((await house.ask('ana', 'GET', '/api/emplacements')).body).toMatchObject([{ id: 1 }]);
});

test('an undoing of acts that cancel out is an obstacle', async () => {
  const house = await houseOf(['POST', LIVRES, livre('Sido', 'Colette')]);
  const write = (nombrePages: number | null) =>
    act(house, 'PUT', '/api/livres/1', { ...livre('Sido', 'Colette'), nombrePages });
  const first = await write(96);
  await write(null);
  const second = await write(96);
  const undone = await undoAct(house, second);
  const redone = await undoAct(house, undone);
  const third = await undoAct(house, first);
  const both = await undoAct(house, second, '?avec=obstacles');
  expect(await obstaclesTo(house, redone)).toEqual([both, third]);
  await undoAct(house, redone, '?avec=obstacles');
});

test('the last of many undoings decides whether an act counts', async () => {
  const house = await houseOf();
  const added = await act(house, 'POST', '/api/emplacements', { nom: 'Salon' });
  const removed = await act(house, 'DELETE', '/api/emplacements/1');
  let last = removed;
  for (let n = 0; n < 4; n++) last = await undoAct(house, last);
  expect(await obstaclesTo(house, added)).toEqual([removed]);
});

test('an act undone since is no obstacle', async () => {
  const house = await houseOf();
  const name = (nom: string) => act(house, 'PUT', '/api/bibliotheque', { nom });
  const first = await name('Nord');
  const second = await name('Sud');
  await undoAct(house, await name('Est'));
  expect(await obstaclesTo(house, first)).toEqual([second]);
});

test('a status brought back yields to its person’s undoing', async () => {
  const house = await houseOf();
  await act(house, 'POST', LIVRES, livre('Sido', 'Colette'));
  const marked = await house.ask('bob', 'PUT', '/api/livres/1/statut', { statut: 2 });
  const deletion = await act(house, 'DELETE', '/api/livres/1');
  const back = await undoAct(house, deletion);
  const undo = `/api/modifications/${marked.headers.get('X-Modification') ?? ''}/annulation`;
  expect((await house.ask('bob', 'POST', undo)).status).toBe(201);
  await undoAct(house, back);
  expect((await house.ask('ana', 'GET', LIVRES)).body).toEqual([]);
});

test('a redoing that wrote last is undone before its act', async () => {
  const house = await houseOf();
  const name = (nom: string) => act(house, 'PUT', '/api/bibliotheque', { nom });
  const first = await name('Île');
  const undoing = await undoAct(house, first);
  const again = await undoAct(house, undoing);
  const goneAgain = await undoAct(house, again);
  const third = await undoAct(house, undoing);
  const goneThird = await undoAct(house, first);
  const fourth = await undoAct(house, goneThird);
  const second = await name('Sud');
  const both = await undoAct(house, fourth, '?avec=obstacles');
  await undoAct(house, third, '?avec=obstacles');
  const bothAgain = await undoAct(house, both);
  const last = await undoAct(house, second);
  expect(await obstaclesTo(house, goneAgain)).toEqual([last, bothAgain]);
  await undoAct(house, goneAgain, '?avec=obstacles');
  expect((await house.ask('ana', 'GET', '/api/bibliotheque')).body).toMatchObject({ nom: 'Île' });
});

test('a book back within one undoing leaves with its place', async () => {
  const house = await houseOf();
  const saisie = { ...livre('Sido', 'Colette'), place: { serie: { titre: 'Est' }, numero: '1' } };
  const added = await act(house, 'POST', LIVRES, saisie);
  const undoing = await undoAct(house, added);
  const again = await undoAct(house, undoing);
  await act(house, 'DELETE', '/api/livres/1');
  const both = await undoAct(house, again, '?avec=obstacles');
  await undoAct(house, undoing);
  const redone = await undoAct(house, both, '?avec=obstacles');
  const back = await undoAct(house, redone);
  const series = async () => (await house.ask('ana', 'GET', '/api/series')).body;
  expect(await series()).toMatchObject([{ titre: 'Est' }]);
  const all = await undoAct(house, added, '?avec=obstacles');
  expect(await series()).toEqual([]);
  await undoAct(house, all);
  await undoAct(house, back);
});
