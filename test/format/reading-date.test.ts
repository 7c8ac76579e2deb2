import { expect, test } from 'vitest';
import { parseReadingDate } from '../../src/lib/format/reading-date.ts';

const NOW = new Date(2026, 2, 12, 9);

test.each([
  ['', null],
  ['  ', null],
  ['2009', '2009'],
  ['vers 2009', '2009'],
  ['en 2009', '2009'],
  ['l’année 2009', '2009'],
  ['mars 2019', '2019-03'],
  ['Mars 2019', '2019-03'],
  ['en mars 2019', '2019-03'],
  ['août 19', '2019-08'],
  ['déc. 2019', '2019-12'],
  ['03/2019', '2019-03'],
  ['3/19', '2019-03'],
  ['2019-03', '2019-03'],
  ['12/3/19', '2019-03-12'],
  ['12/03/2019', '2019-03-12'],
  ['12.3.2019', '2019-03-12'],
  ['12 mars 2019', '2019-03-12'],
  ['le 1er mars 2019', '2019-03-01'],
  ['2019-03-12', '2019-03-12'],
  ['1/2/98', '1998-02-01'],
  ['hier', '2026-03-11'],
  ['Aujourd’hui', '2026-03-12'],
  ['avant-hier', '2026-03-10'],
  ['12 mars', '2026-03-12'],
  ['13 mars', '2025-03-13'],
  ['5/3', '2026-03-05'],
  ['mars', '2026-03'],
  ['avril', '2025-04'],
])('« %s » is %s', (text, date) => {
  expect(parseReadingDate(text, NOW)).toBe(date);
});

test.each([
  'été',
  'printemps 2019',
  '31/2/2019',
  '29/2/2019',
  '13/2019',
  'bientôt',
  '1 2 3 4',
  '99',
  '?',
])('« %s » is no date', (text) => {
  expect(parseReadingDate(text, NOW)).toBeUndefined();
});
