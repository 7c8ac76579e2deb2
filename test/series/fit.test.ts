import { expect, test } from 'vitest';
import type { Place } from '#shared/series';
import { findManquants } from '#shared/series-fit';
import { makePlace, makeSerie } from '../support/series.ts';

const livre = (titre: string, isbn: string | null = null, ...noms: string[]) => ({
  id: 9,
  titre,
  isbn,
  auteurs: noms.map((nom) => ({ nom })),
});

const find = (added: ReturnType<typeof livre>, ...places: Place[]) =>
  findManquants(added, [makeSerie(1, 'Série 1', places)]).map((one) => one.place.id);

test('a missing volume is recognised by ISBN despite its title', () => {
  const missing = makePlace(3, 'Fondation', { isbn: '9782070360024' });
  expect(find(livre('Foundation', '9782070360024'), missing)).toEqual([3]);
});

test('a missing volume is recognised by its work and author', () => {
  const added = livre('L’Aube de Fondation : roman', null, 'Asimov, Isaac');
  expect(find(added, makePlace(1, 'L’aube de fondation'))).toEqual([1]);
  expect(find(added, makePlace(1, 'L’Aube de Fondation', { auteur: 'Isaac Asimov' }))).toEqual([1]);
  expect(find(added, makePlace(1, 'L’Aube de Fondation', { auteur: 'Luc' }))).toEqual([]);
  expect(
    find(added, makePlace(1, 'L’Aube de Fondation', { auteur: 'Luc ; Isaac Asimov' })),
  ).toEqual([1]);
  expect(find(added, makePlace(1, 'Fondation'))).toEqual([]);
});

test('two volumes of one series are two', () => {
  const [second, third] = [makePlace(2, 'Lanfeust : tome 2'), makePlace(3, 'Lanfeust : tome 3')];
  expect(find(livre('Lanfeust : tome 3'), second, third)).toEqual([3]);
});

test('a place that has its book is left out', () => {
  expect(find(livre('Un'), makePlace(1, 'Un', { livreId: 4 }))).toEqual([]);
});

test('a series that has this book is left out', () => {
  expect(find(livre('Un'), makePlace(1, 'Un', { livreId: 9 }), makePlace(2, 'Un'))).toEqual([]);
});

test('every series that lacks it is listed', () => {
  const found = findManquants(livre('Un'), [
    makeSerie(1, 'Série 1', [makePlace(1, 'Un')]),
    makeSerie(2, 'Série 2', [makePlace(2, 'Deux')]),
    makeSerie(3, 'Série 3', [makePlace(3, 'Un'), makePlace(4, 'Un')]),
  ]);
  expect(found.map(({ serie: { id }, place: { id: placeId } }) => [id, placeId])).toEqual([
    [1, 1],
    [3, 3],
  ]);
});
