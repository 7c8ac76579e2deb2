import { expect, test } from 'vitest';
import { formatPartialDate } from '../../src/lib/format/partial-date.ts';
import { parsePartialDate } from '../../src/lib/format/typed-date.ts';
import { nextNumero } from '../../src/lib/records/revues/next-numero.ts';

const next = (...numeros: [numero: string, date?: string][]) =>
  nextNumero(numeros.map(([numero, date = null], id) => ({ id, numero, date })));

test.each([
  ['412', '413'],
  ['HS 3', 'HS 4'],
  ['099', '100'],
  ['12 bis', '13'],
  ['2026-11', '2026-12'],
  ['Printemps', ''],
])('after « %s » comes « %s »', (numero, expected) => {
  expect(next([numero])).toBe(expected);
});

test('the next number follows the newest, and is never taken', () => {
  expect(next()).toBe('');
  expect(next(['413', '2026-11'], ['398', '2025-08'])).toBe('414');
  expect(next(['412'], ['413'])).toBe('414');
  expect(next(['412', '2026-10'], ['N° 413'], ['0414'])).toBe('415');
  expect(next(['412', '2026-10'], ['413'], ['414'])).toBe('415');
  // A double issue has both numbers.
  expect(next(['412-413'])).toBe('414');
  expect(next(['412', '2026-10'], ['413-414'])).toBe('415');
});

test.each([
  ['2026-11-20', '20 novembre 2026'],
  ['2026-08-01', '1er août 2026'],
  ['2026-02', 'février 2026'],
  ['1987', '1987'],
])('%s is « %s », and is read back from it', (date, words) => {
  expect(formatPartialDate(date)).toBe(words);
  expect(parsePartialDate(words)).toBe(date);
  expect(parsePartialDate(date)).toBe(date);
});

test.each([
  ['20/11/2026', '2026-11-20'],
  [' 3.2.2026 ', '2026-02-03'],
  ['11/2026', '2026-11'],
  ['Nov. 2026', '2026-11'],
  ['1 AOUT 2026', '2026-08-01'],
  ['', null],
  ['bientôt', undefined],
  ['jui 2026', undefined],
  ['20 novembre', undefined],
  ['le 20 novembre 2026', 'le 20 novembre 2026'],
  [' printemps 2026', 'printemps 2026'],
  ['juillet-août 2026', 'juillet-août 2026'],
  ['printemps', undefined],
])('« %s » is read as %s', (text, date) => {
  expect(parsePartialDate(text)).toBe(date);
});
