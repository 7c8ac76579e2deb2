import { describe, expect, it } from 'vitest';
import { isIsoDate } from '#shared/days';
import { numeroDateKey } from '#shared/numero-date';
import { NumeroIndex } from '#shared/numero-index';
import { compareText } from '#shared/text';
import { makeNumero } from '../support/revues.ts';

describe('the date of an issue', () => {
  it.each([
    ['2026', '2026'],
    ['2026-11', '2026-11'],
    ['2026-11-20', '2026-11-20'],
    ['2026-01-31', '2026-01-31'],
    ['2024-02-29', '2024-02-29'],
    ['  2026 ', '2026'],
    ['printemps 2026', '2026-03'],
    ['Été 2026', '2026-06'],
    ['automne-hiver 2026', '2026-09'],
    ['hiver 2026', '2026-01'],
    ['hiver 2025-2026', '2025-12'],
    ['Hiver 2025/26', '2025-12'],
    ['Hiver 2031/32', '2031-12'],
    ['hiver 2025/26 – printemps 2026', '2025-12'],
    ['automne 2025 – hiver 2026', '2025-09'],
    ['printemps 2025-2026', '2025-03'],
    ['hiver-printemps 2025-2026', '2025-01'],
    ['mars 2026', '2026-03'],
    ['juil. 2026', '2026-07'],
    ['juillet-août 2026', '2026-07'],
    ['Juillet / Août 2026', '2026-07'],
    ['mai-juin-juillet 2026', '2026-05'],
    ['décembre 2025-janvier 2026', '2025-12'],
    ['décembre 2025-janvier-février 2026', '2025-12'],
    ['12 mars 2026', '2026-03-12'],
    ['1er mars 2026', '2026-03-01'],
    ['du 12 au 18 mars 2026', '2026-03-12'],
    ['28 mars-3 avril 2026', '2026-03-28'],
    ['mai-3 juin 2026', '2026-05'],
    ['31 mars 2026', '2026-03-31'],
    ['28 février 2023-29 février 2024', '2023-02-28'],
    ['12/03/2026', '2026-03-12'],
    ['2/3/2026', '2026-03-02'],
    ['1er trimestre 2026', '2026-01'],
    ['quatrième trimestre 2026', '2026-10'],
    ['2e trimestre-3e trimestre 2026', '2026-04'],
    ['2e semestre 2026', '2026-07'],
    ['2025-2026', '2025'],
    ['spring 2026', '2026-03'],
    ['Summer/Autumn 2026', '2026-06'],
    ['Fall 2026', '2026-09'],
    ['winter 2025-2026', '2025-12'],
    ['12 March 2026', '2026-03-12'],
    ['1st March 2026', '2026-03-01'],
    ['July-August 2026', '2026-07'],
    ['28 Feb to 3 March 2026', '2026-02-28'],
    ['the second quarter of 2026', '2026-04'],
    ['2nd half of 2026', '2026-07'],
  ])('« %s » is sorted as %s', (text, key) => {
    expect(numeroDateKey(text)).toBe(key);
  });

  it.each([
    '',
    'hier',
    'mars',
    '26 mars',
    'n° 12',
    '2026-13',
    '2026-02-30',
    '31 février 2026',
    '31/02/2026',
    '5e trimestre 2026',
    '3e semestre 2026',
    'printemps',
    '12 2026',
    'mars 26',
    'mars 12026',
    'mars 20261',
    '2026 mars',
    'mars 2026 bis',
    '32 mars 2026',
    '12x mars 2026',
    'mars 12026',
    'mars 20261',
    '112/03/2026',
    '12/03/20261',
    '2026-00',
    '2026-01-00',
    'printemps 12026',
    'printemps 20261',
    '2100-02-29',
    '31 février-3 mars 2026',
    '2025-2026 mars',
    'mars printemps 2026',
    'printemps 2026 bis',
    'été 2026 x26',
    'mars 1er trimestre 2026',
    '1er trimestre 2026 bis',
    'mars 5e trimestre 2026',
    'xq01 2026',
    'q012 2026',
  ])('« %s » is none', (text) => {
    expect(numeroDateKey(text)).toBeNull();
  });

  it('puts printed and ISO dates in one order', () => {
    const dates = [
      'hiver 2025-2026',
      '2026-01-15',
      'mars 2026',
      '2026-03-12',
      'été 2026',
      '2026-07',
    ];
    const key = (date: string) => numeroDateKey(date) ?? '';
    expect(dates.toReversed().sort((a, b) => compareText(key(a), key(b)))).toEqual(dates);
  });

  it('is an existing day, month or year in ISO 8601', () => {
    const texts = ['2026', '2026-02', '2024-02-29', '2026-02-29', '12026-01', '2026-01-012', ''];
    expect(texts.filter(isIsoDate)).toEqual(['2026', '2026-02', '2024-02-29']);
  });

  it('has the newest issue first, and issues without a date last', () => {
    const index = new NumeroIndex();
    const dates = [null, 'printemps 2026', '2026', '2026-08', 'juillet-août 2026', 'hiver 2026'];
    index.applyNumeros(dates.map((date, i) => makeNumero(i + 1, String(i), { date })));
    expect(index.search({}).map(({ date }) => date)).toEqual([
      '2026-08',
      'juillet-août 2026',
      'printemps 2026',
      'hiver 2026',
      '2026',
      null,
    ]);
  });
});
