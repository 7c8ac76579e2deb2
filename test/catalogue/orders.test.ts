import { expect, test } from 'vitest';
import { Catalogue } from '#shared/catalogue';
import type { Criteres, Order } from '#shared/livres';
import { TRIS } from '#shared/sort';
import { makeEmplacement } from '../support/emplacements.ts';
import { makeLivre } from '../support/livres.ts';
import { makePlace, makeSerie } from '../support/series.ts';

const ids = (catalogue: Catalogue, criteres: Criteres & Order) =>
  catalogue.search(criteres, new Map()).map(({ id }) => id);

/** Books with ids from 1, in reverse order of their titles. */
function catalogueOf(count: number): Catalogue {
  const catalogue = new Catalogue();
  const titre = (id: number) => `Dune ${String(1000 - id)}`;
  catalogue.applyLivres(
    Array.from({ length: count }, (_, i) =>
      makeLivre(i + 1, titre(i + 1), { emplacementId: i + 1 }),
    ),
  );
  return catalogue;
}

const placesOf = (...livreIds: number[]) =>
  livreIds.map((livreId, index) => makePlace(100 + index, 'Un volume', { livreId }));

const UP_TO_12 = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

test('tenth volumes and rooms come after the ninth', () => {
  const catalogue = catalogueOf(12);
  catalogue.applySeries([makeSerie(1, 'Cycle', placesOf(...UP_TO_12))]);
  catalogue.applyEmplacements(UP_TO_12.map((id) => makeEmplacement(id, 'Salon', { rang: id })));
  expect(ids(catalogue, { tri: 'titre' })).toEqual(UP_TO_12.toReversed());
  expect(ids(catalogue, { tri: 'serie' })).toEqual(UP_TO_12);
  expect(ids(catalogue, { tri: 'emplacement' })).toEqual(UP_TO_12);
});

test('series of one title keep their volumes apart', () => {
  const catalogue = catalogueOf(5);
  catalogue.applySeries([
    makeSerie(10, 'Cycle', placesOf(1, 2)),
    makeSerie(9, 'Cycle', placesOf(5, 3, 4)),
  ]);
  expect(ids(catalogue, { tri: 'serie' })).toEqual([5, 3, 4, 1, 2]);
});

test('a book twice in a series has its first place', () => {
  const catalogue = catalogueOf(3);
  catalogue.applySeries([makeSerie(9, 'Cycle', placesOf(3, 1, 3, 2))]);
  expect(ids(catalogue, { tri: 'serie' })).toEqual([3, 1, 2]);
});

test('a continued search follows the new order of the rooms', () => {
  const catalogue = catalogueOf(2);
  const rooms = (...order: number[]) =>
    catalogue.applyEmplacements(order.map((id, rang) => makeEmplacement(id, 'Salon', { rang })));
  rooms(1, 2);
  expect(ids(catalogue, { recherche: 'du', tri: 'emplacement' })).toEqual([1, 2]);
  rooms(2, 1);
  expect(ids(catalogue, { recherche: 'dun', tri: 'emplacement' })).toEqual([2, 1]);
});

test('few results among very many books are in order', () => {
  const catalogue = catalogueOf(20_000);
  catalogue.applyLivres(
    ['Colette', 'Balzac', 'Austen'].map((nom, i) =>
      makeLivre(30_000 + i, `Quagga ${String(i)}`, { auteurs: [{ id: 1 + i, nom }] }),
    ),
  );
  const quaggas = [30_002, 30_001, 30_000];
  expect(ids(catalogue, { recherche: 'quagga', tri: 'auteur' })).toEqual(quaggas);
  expect(ids(catalogue, { recherche: 'quag', tri: 'titre' })).toEqual(quaggas.toReversed());
  expect(ids(catalogue, { recherche: 'quagg', tri: 'auteur', inverse: true })).toEqual(
    quaggas.toReversed(),
  );
});

test.each(TRIS)('books that change while they are put in order by %s have their place', (tri) => {
  const [catalogue, atOnce] = [catalogueOf(2_500), catalogueOf(2_500)];
  expect(catalogue.sortNextChunk({ tri })).toBe(true);
  for (let n = 0; catalogue.sortNextChunk({ tri }); n++)
    for (const each of [catalogue, atOnce])
      each.applyLivres([
        makeLivre(2_500 - n, `Sido ${String(n)}`, { annee: 1900 + n }),
        makeLivre(3_000 + n, `Atlas ${String(n)}`),
        { id: 1 + n, _deleted: true },
      ]);
  expect(ids(catalogue, { tri })).toEqual(ids(atOnce, { tri }));
});

test('the newest books are the first in order of addition', () => {
  const catalogue = new Catalogue();
  const seconds = [3, 1, 3, 0, 2, 1, 3];
  catalogue.applyLivres(
    seconds.map((second, i) =>
      makeLivre(i + 1, 'Dune', { dateAjout: `2025-03-01T10:00:0${String(second)}Z` }),
    ),
  );
  const order = ids(catalogue, { tri: 'ajout' });
  for (const count of [0, 1, 4, 7, 20])
    expect(catalogue.newest(count).map(({ id }) => id)).toEqual(order.slice(0, count));
});

test('a moment is the same with milliseconds or without', () => {
  const catalogue = new Catalogue();
  const ends = ['Z', '.000Z', 'Z', '.500Z', '.050Z'];
  catalogue.applyLivres(
    ends.map((end, i) => makeLivre(i + 1, 'Dune', { dateAjout: `2025-03-01T10:00:00${end}` })),
  );
  expect(ids(catalogue, { tri: 'ajout' })).toEqual([4, 5, 1, 2, 3]);
  expect(catalogue.newest(4).map(({ id }) => id)).toEqual([4, 5, 1, 2]);
});

test.each(TRIS)('books alike stand by id in the order %s', (tri) => {
  const catalogue = new Catalogue();
  catalogue.applyLivres([3, 1, 2].map((id) => makeLivre(id, 'Dune')));
  expect(ids(catalogue, { tri })).toEqual([1, 2, 3]);
});
