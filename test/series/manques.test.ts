import { expect, test } from 'vitest';
import type { Place, Serie } from '#shared/series';
import { placesManquantes } from '../../src/lib/series/manques.ts';

const place = (id: number, titre: string, reste: Partial<Place> = {}): Place => ({
  id,
  titre,
  numero: null,
  livreId: null,
  auteur: null,
  isbn: null,
  ...reste,
});

const serie = (id: number, places: Place[]): Serie => ({
  id,
  titre: `Série ${String(id)}`,
  parentId: null,
  places,
  sousSeries: [],
  elements: places.map((une) => ({ place: une.id })),
});

const livre = (titre: string, isbn: string | null = null, ...noms: string[]) => ({
  id: 9,
  titre,
  isbn,
  auteurs: noms.map((nom) => ({ nom })),
});

const trouver = (venu: ReturnType<typeof livre>, ...places: Place[]) =>
  placesManquantes(venu, [serie(1, places)]).map((trouvee) => trouvee.place.id);

test('a missing volume is known by its ISBN, whatever its title', () => {
  const manque = place(3, 'Fondation', { isbn: '9782070360024' });
  expect(trouver(livre('Foundation', '9782070360024'), manque)).toEqual([3]);
});

test('or by its work, and by its author where the place names one', () => {
  const venu = livre('L’Aube de Fondation : roman', null, 'Asimov, Isaac');
  expect(trouver(venu, place(1, 'L’aube de fondation'))).toEqual([1]);
  expect(trouver(venu, place(1, 'L’Aube de Fondation', { auteur: 'Isaac Asimov' }))).toEqual([1]);
  expect(trouver(venu, place(1, 'L’Aube de Fondation', { auteur: 'Luc' }))).toEqual([]);
  expect(trouver(venu, place(1, 'Fondation'))).toEqual([]);
});

test('two volumes of one series are two', () => {
  const [deux, trois] = [place(2, 'Lanfeust : tome 2'), place(3, 'Lanfeust : tome 3')];
  expect(trouver(livre('Lanfeust : tome 3'), deux, trois)).toEqual([3]);
});

test('a place that has its book, and a series that has this one, are left out', () => {
  expect(trouver(livre('Un'), place(1, 'Un', { livreId: 4 }))).toEqual([]);
  expect(trouver(livre('Un'), place(1, 'Un', { livreId: 9 }), place(2, 'Un'))).toEqual([]);
});

test('every series that misses it is told', () => {
  const trouvees = placesManquantes(livre('Un'), [
    serie(1, [place(1, 'Un')]),
    serie(2, [place(2, 'Deux')]),
    serie(3, [place(3, 'Un'), place(4, 'Un')]),
  ]);
  expect(trouvees.map(({ serie: { id }, place: une }) => [id, une.id])).toEqual([
    [1, 1],
    [3, 3],
  ]);
});
