import { expect, test } from 'vitest';
import { numeroWall } from '../../src/lib/revues/numero-wall.ts';
import type { Numero } from '#shared/numeros';

const issue = (numero: string, date: string | null, id = 0): Numero => ({
  id,
  revueId: 1,
  numero,
  date,
  coverUrl: null,
  couverture: null,
  une: null,
  resume: null,
  themes: [],
  articles: [],
});

/** Each year with its issues; a missing one in brackets. */
function yearsOf(...numeros: readonly Numero[]): string[] {
  return numeroWall(numeros).years.flatMap(({ year, items }) =>
    items.map((item, index) => {
      const name = 'missing' in item ? `[${item.missing}]` : item.numero;
      return index === 0 ? `${year}: ${name}` : name;
    }),
  );
}

test('a number between two issues is missing in the year in which it must have come out', () => {
  expect(yearsOf(issue('413', '2026-02'), issue('410', '2025-11'))).toEqual([
    '2026: 413',
    '[412]',
    '2025: [411]',
    '410',
  ]);
});

test('a year of which the house has nothing has a wall too', () => {
  expect(yearsOf(issue('5', '2026-01'), issue('2', '2024-01'))).toEqual([
    '2026: 5',
    '2025: [4]',
    '2024: [3]',
    '2',
  ]);
});

test('a double issue counts as each of its numbers, and other numbers keep their place', () => {
  expect(
    yearsOf(issue('115', '2026-05'), issue('HS 3', '2026-04'), issue('112-113', '2026-03')),
  ).toEqual(['2026: 115', 'HS 3', '[114]', '112-113']);
  expect(yearsOf(issue('12 bis', '2026-03'), issue('10', '2026-01'))).toEqual([
    '2026: 12 bis',
    '10',
  ]);
});

test('issues without a date end the wall, and a long hole is a time without the periodical', () => {
  expect(yearsOf(issue('9', '2026'), issue('4', null), issue('2', null))).toEqual([
    '2026: 9',
    '[8]',
    '[7]',
    '[6]',
    '[5]',
    ': 4',
    '[3]',
    '2',
  ]);
  const { missing } = numeroWall([issue('852', '2026-03'), issue('3', '1990-01')]);
  expect(missing).toEqual([]);
});

test('two issues of one number, and numbers against their dates, miss nothing twice', () => {
  const { missing } = numeroWall([
    issue('3', '2026-03', 1),
    issue('3', '2026-02', 2),
    issue('1', '2026-09', 3),
  ]);
  expect(missing).toEqual(['2']);
  expect(numeroWall([])).toEqual({ years: [], missing: [] });
});
