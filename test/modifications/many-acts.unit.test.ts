import { expect, test } from 'vitest';
import { EmplacementTree } from '#shared/emplacement-tree';
import { lastTome } from '#shared/series-gaps';

/** More elements than a call accepts as arguments. */
const MANY = 200_000;

test('two thousand places of many volumes have a last one', () => {
  const place = {
    titre: '',
    numero: '1-400',
    tomes: null,
    livreId: null,
    auteur: null,
    isbn: null,
  };
  const places = Array.from({ length: 2000 }, (_, id) => ({ ...place, id }));
  expect(lastTome({ places })).toBe(400);
});

test('a room of 200,000 shelves has two levels', () => {
  const shelf = (id: number) => ({
    id,
    nom: String(id),
    parentId: 1,
    note: null,
    rang: id,
    fermeLe: null,
  });
  const tree = new EmplacementTree([
    { ...shelf(1), parentId: null },
    ...Array.from({ length: MANY }, (_, index) => shelf(index + 2)),
  ]);
  expect(tree.heightOf(1)).toBe(2);
});
