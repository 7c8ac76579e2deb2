import { expect, test } from 'vitest';
import { noon } from './days.ts';
import { cleanRow } from '#server/subjects/importations/rows';
import type { ImportRecord } from '#server/subjects/importations/record';
import { withSentences } from './sentences.ts';

/** Reads a record with these texts. */
const read = (raw: Partial<ImportRecord>) =>
  withSentences(cleanRow({ titre: 'A', auteurs: [], ...raw }, 'statut', false));

test.each([
  ['1942', 1942],
  ['="1942"', 1942],
  ['[1942]', 1942],
  ['vers 1942', 1942],
  ['1942-04-16', 1942],
  ['16/04/1942', 1942],
  ['44', 44],
  ['-750', -750],
  ['-44', -44],
  ['', null],
  ['0000', null],
  ['0', null],
  ['an 44', null],
  ['44 ans', null],
  ['-750 environ', null],
  ['a-750', null],
  ['19420416', null],
  ['x19421', null],
])('the year of « %s » is %s', (annee, expected) => {
  const isReported = expected === null && /[1-9]/.test(annee);
  expect(read({ annee })).toMatchObject({
    row: { annee: expected },
    avertissements: isReported ? [`année illisible, laissée de côté : ${annee}`] : [],
  });
});

test.each([
  ['592', 592],
  [' 1 200 ', 1200],
  [' [12] ', 12],
  ['1\u202f200', 1200],
  ['1\u00a0200', 1200],
  ['12,00', 12],
  ['12.0', 12],
  ['320 p.', 320],
  ['12 pages', 12],
  ['1.234 p.', 1234],
  ['xii-320 p. : ill.', 320],
  ['1000000', 1_000_000],
  ['', null],
  ['0', null],
  ['12,5', null],
  ['p. 12', null],
  ['12345678', null],
])('« %s » is a count of %s pages', (nombrePages, expected) => {
  const isReported = expected === null && /[1-9]/.test(nombrePages);
  expect(read({ nombrePages })).toMatchObject({
    row: { nombrePages: expected },
    avertissements: isReported
      ? [`nombre de pages illisible, laissé de côté : ${nombrePages}`]
      : [],
  });
});

test.each([
  ['2020-05-06', '2020-05-06'],
  ['2020/5/6 10:11', '2020-05-06'],
  ['2020.05.06', '2020-05-06'],
  ['06/05/2020', '2020-05-06'],
  ['6-5-2020', '2020-05-06'],
  ['[6.5.2020]', '2020-05-06'],
  ['2020-02-29', '2020-02-29'],
  ['1901-01-31', '1901-01-31'],
  ['2020-12-31', '2020-12-31'],
  ['', null],
  ['mai 2020', null],
  ['6 mai 2020', '2020-05-06'],
  ['1er févr. 2020', '2020-02-01'],
  ['12 déc. 2019', '2019-12-12'],
  ['12-Aug-2019', '2019-08-12'],
  ['May 6, 2020', '2020-05-06'],
  ['Sept. 3rd 2020', '2020-09-03'],
  ['12 jui 2019', null],
  ['12 mai 19', null],
  ['31 avril 2020', null],
  ['12 mai 13 2019', null],
  ['12 lunes 2019', null],
  ['2020', null],
  ['2020-05', null],
  ['2020-05-061', null],
  ['12020-05-06', null],
  ['le 2020-05-06', null],
  ['le 06/05/2020', null],
  ['06/05/20201', null],
  ['106/05/2020', null],
  ['2021-02-29', null],
  ['2020-13-01', null],
  ['2020-00-01', null],
  ['2020-01-00', null],
  ['0000-01-01', null],
  ['1900-01-31', null],
  ['2999-01-31', null],
  [null, null],
])('a loan of « %s » has begun on %s', (date, day) => {
  const { row } = read({ pret: { emprunteur: ' Zoé ', date } });
  const datePret = day && noon(day);
  expect(row.pret).toEqual({ emprunteur: 'Zoé', datePret });
});

test.each([
  [['2070360024'], '9782070360024', []],
  [['[2070360024]', '="9782070360024"', '978-2-07-036002-4'], '9782070360024', []],
  [['', '0', ' '], null, []],
  [['=""', '[]'], null, []],
  [
    ['B00ABCDEFG', '9782070424641'],
    '9782070424641',
    ['ce n’est pas un ISBN, laissé de côté : B00ABCDEFG'],
  ],
  [
    ['9782070424641', '2070360024'],
    '9782070424641',
    ['deux ISBN se contredisent : 9782070424641 et 9782070360024 ; le premier compte'],
  ],
  [['9,78207E+12'], null, ['ISBN abîmé par un tableur, laissé de côté : 9,78207E+12']],
  [['9.78e12'], null, ['ISBN abîmé par un tableur, laissé de côté : 9.78e12']],
  [['9E12'], null, ['ISBN abîmé par un tableur, laissé de côté : 9E12']],
  [['19E12'], null, ['ce n’est pas un ISBN, laissé de côté : 19E12']],
  [['9E12B'], null, ['ce n’est pas un ISBN, laissé de côté : 9E12B']],
  [
    ['a="b', 'c'],
    null,
    ['a="b', 'c'].map((text) => `ce n’est pas un ISBN, laissé de côté : ${text}`),
  ],
  [
    ['a[b]', '[c]d', '[ e ]'],
    null,
    ['a[b]', '[c]d', 'e'].map((text) => `ce n’est pas un ISBN, laissé de côté : ${text}`),
  ],
  [['x'.repeat(50)], null, [`ce n’est pas un ISBN, laissé de côté : ${'x'.repeat(39)}…`]],
  [['x', 'x'], null, ['ce n’est pas un ISBN, laissé de côté : x']],
])('from the ISBNs %j the book gets %s', (isbns, isbn, avertissements) => {
  expect(read({ isbns })).toMatchObject({ row: { isbn }, avertissements });
});

test.each([
  { titre: 'S'.repeat(501), numero: '1' },
  { titre: 'Série', numero: '1'.repeat(41) },
])('a series name that is too long is reported', (serie) => {
  const { row, avertissements } = read({ series: [serie, { titre: 'Autre', numero: '2' }] });
  expect(row.series).toEqual([{ titre: 'Autre', numero: '2' }]);
  expect(avertissements).toEqual(['titre ou numéro de série trop long, laissé de côté']);
});

test('an author’s name is measured in characters', () => {
  const nom = '𝒜'.repeat(150);
  expect(read({ auteurs: [nom] })).toMatchObject({ row: { auteurs: [nom] }, avertissements: [] });
});
