import { expect, test } from 'vitest';
import { compareLectures, NO_POSITION, statutOfLecture, type Lecture } from '#shared/lectures';
import type { Serie } from '#shared/series';
import { byYear, figuresOf } from '../../src/lib/lectures/years.ts';
import { makeLivre } from '../support/livres.ts';

let lastId = 0;

const lecture = (given: Partial<Lecture>): Lecture => {
  const read = { debut: null, fin: null, abandon: false, note: null, avis: null };
  const notation = { ...read, ...NO_POSITION, ...given };
  return {
    id: ++lastId,
    livreId: null,
    titre: 'Un titre',
    auteurs: [],
    isbn: null,
    ...notation,
    statut: statutOfLecture(notation),
  };
};

const serie = (
  id: number,
  livreIds: readonly (number | null)[],
  nombreTomes: number | null = null,
  numeros: readonly string[] = [],
) => ({
  id,
  titre: `Cycle ${id}`,
  parentId: null,
  nombreTomes,
  places: livreIds.map((livreId, n) => ({
    id: id * 10 + n,
    titre: '?',
    numero: numeros[n] ?? null,
    tomes: null,
    livreId,
    auteur: null,
    isbn: null,
  })),
  sousSeries: [],
  elements: [],
});

const PAGES = new Map([
  [1, 100],
  [2, 840],
]);
const shelf = (series: readonly Serie[] = []) => ({
  livre: (id: number) => makeLivre(id, 'Un titre', { nombrePages: PAGES.get(id) ?? null }),
  series,
});

test('readings are grouped by year of their end, undated last', () => {
  const all = [
    lecture({ fin: '2025-12-31' }),
    lecture({ fin: '2026' }),
    lecture({ note: 3 }),
    lecture({ debut: '2026-01' }),
    lecture({ fin: '2026-02', abandon: true }),
  ].sort(compareLectures);
  expect(byYear(all).map(({ year, lectures }) => [year, lectures.length])).toEqual([
    ['2026', 1],
    ['2025', 1],
    ['', 1],
  ]);
});

test('a year counts its books, pages, authors and months', () => {
  const all = [
    lecture({ livreId: 1, fin: '2026-01-03', auteurs: ['A', 'B'], note: 7 }),
    lecture({ livreId: 2, fin: '2026-01', auteurs: ['A'], note: 9 }),
    lecture({ livreId: 3, fin: '2026', note: 9 }),
    lecture({ livreId: 1, fin: '2025-07' }),
  ].sort(compareLectures);
  const figures = figuresOf(all, '2026', shelf());
  expect(figures).toMatchObject({ pages: 940, auteurs: 2, before: 1, series: [] });
  expect(figures.lectures).toHaveLength(3);
  expect(figures.months.map(({ length }) => length)).toEqual([2, ...Array<number>(11).fill(0)]);
  expect(figures.longest).toMatchObject({ pages: 840, lecture: { livreId: 2 } });
  expect(figures.best?.note).toBe(9);
});

test('a series is ended when its last book is read', () => {
  const all = [
    lecture({ livreId: 1, fin: '2020' }),
    lecture({ livreId: 1, fin: '2026' }),
    lecture({ livreId: 2, fin: '2026-03' }),
    lecture({ livreId: 3, fin: '2019' }),
    lecture({ livreId: 4, fin: '2026', abandon: true }),
  ];
  const series = [
    serie(1, [1, 2]),
    serie(2, [1, 3]),
    serie(3, [2, null]),
    serie(4, [2, 4]),
    serie(5, [1, 2], 3),
    serie(6, [2]),
    serie(7, [1, 2], 4, ['1-3', '4']),
  ];
  const ended = (year: string) => figuresOf(all, year, shelf(series)).series.map(({ id }) => id);
  expect(ended('2026')).toEqual([1, 7]);
  expect(ended('2020')).toEqual([2]);
});

test('a year has its genres, lengths, and authors that are new', () => {
  const themes = new Map([
    [1, ['Mer', 'Polar']],
    [2, ['Polar']],
  ]);
  const house = {
    series: [],
    livre: (id: number) =>
      makeLivre(id, 'Un titre', {
        nombrePages: PAGES.get(id) ?? null,
        themes: themes.get(id) ?? [],
      }),
  };
  const all = [
    lecture({ fin: '2024-05-01', auteurs: ['Colette'] }),
    lecture({ livreId: 1, fin: '2026-01-03', auteurs: ['COLETTE', 'Jean Giono'] }),
    lecture({ livreId: 2, fin: '2026-02-03', auteurs: ['Jean Giono'] }),
    lecture({ fin: '2026-03-03', auteurs: ['Marie NDiaye'] }),
  ].toReversed();
  const figures = figuresOf(all, '2026', house);
  expect(figures.themes.map(({ nom, lectures }) => [nom, lectures.length])).toEqual([
    ['Polar', 2],
    ['Mer', 1],
  ]);
  expect(figures.lengths.map(({ from, to, lectures }) => [from, to, lectures.length])).toEqual([
    [0, 150, 1],
    [150, 300, 0],
    [300, 500, 0],
    [500, null, 1],
  ]);
  expect(figures.newAuteurs).toHaveLength(2);
  expect(figures.knownAuteurs).toHaveLength(1);
});
