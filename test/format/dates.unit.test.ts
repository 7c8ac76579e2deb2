import { describe, expect, it } from 'vitest';
import {
  formatDay,
  formatMoment,
  formatPeriod,
  formatRecentDay,
  formatShortDay,
  formatTimestamp,
  noonOf,
  since,
  spanSince,
  timeAgo,
} from '../../src/lib/format/dates.ts';

/** A local time, so that the tests pass in every time zone. */
const at = (year: number, month: number, day: number, hour = 12, minute = 0) =>
  new Date(year, month - 1, day, hour, minute);

describe('timeAgo', () => {
  const now = at(2026, 11, 20, 9);
  it.each([
    [at(2026, 11, 20, 8), 'aujourd’hui'],
    [at(2026, 11, 20, 23), 'aujourd’hui'],
    [at(2026, 11, 19, 23, 59), 'hier'],
    [at(2026, 11, 18), 'avant-hier'],
    [at(2026, 11, 14), 'il y a 6 jours'],
    [at(2026, 11, 13), 'il y a une semaine'],
    [at(2026, 10, 29), 'il y a 3 semaines'],
    [at(2026, 10, 20), 'il y a un mois'],
    [at(2026, 5, 21), 'il y a 5 mois'],
    [at(2025, 11, 21), 'il y a 11 mois'],
    [at(2025, 11, 20), 'il y a un an'],
    [at(2023, 1, 1), 'il y a 3 ans'],
  ])('writes %s as « %s »', (date, words) => {
    expect(timeAgo(date, now)).toBe(words);
  });
});

describe('a stored text that is no date', () => {
  const now = at(2026, 11, 20, 9);
  it.each(['zzz', '', 'demain', '2027-02-30', '2019-13-45', '2027-02-30T10:00:00.000Z'])(
    'is shown unchanged (« %s »)',
    (text) => {
      for (const formatted of [
        formatDay(text),
        formatShortDay(text, now),
        formatRecentDay(text, now),
        since(text, now),
        spanSince(text, now),
        timeAgo(text, now),
        formatPeriod(text, '2026-01-02').start,
        formatPeriod('2026-01-02', text).end,
      ])
        expect(formatted).toBe(text);
    },
  );
});

describe('formatDay and formatPeriod', () => {
  it('writes the first of a month as an ordinal', () => {
    expect(formatDay(at(2026, 3, 1))).toBe('1er mars 2026');
    expect(formatDay(at(2026, 3, 11))).toBe('11 mars 2026');
  });

  it('writes a year that both ends share once', () => {
    expect(formatPeriod('2026-03-03', '2026-04-28')).toEqual({
      start: '3 mars',
      end: '28 avril 2026',
    });
    expect(formatPeriod('2025-12-24', '2026-01-02').start).toBe('24 décembre 2025');
  });

  it('leaves the year out within twelve months', () => {
    const now = at(2026, 7, 18);
    expect(formatRecentDay(at(2025, 7, 19), now)).toBe('19 juillet');
    expect(formatRecentDay(at(2025, 7, 18), now)).toBe('18 juillet 2025');
  });
});

describe('formatMoment', () => {
  const now = at(2026, 11, 20, 9);

  it('shows the time for today and yesterday, otherwise the date', () => {
    expect(formatMoment(at(2026, 11, 20, 8, 5), now)).toBe('aujourd’hui à 8\u00a0h\u00a005');
    expect(formatMoment(at(2026, 11, 19, 14, 32), now)).toBe('hier à 14\u00a0h\u00a032');
    expect(formatMoment(at(2026, 3, 3, 14, 32), now)).toBe('le 3 mars à 14\u00a0h\u00a032');
    expect(formatMoment(at(2025, 3, 3, 14, 32), now)).toBe('le 3 mars 2025 à 14\u00a0h\u00a032');
  });

  it('says the time of today as its sentence asks', () => {
    expect(formatMoment(at(2026, 11, 20, 8, 5), now, ({ time }) => time)).toBe('8\u00a0h\u00a005');
  });
});

it('writes a timestamp to the second', () => {
  expect(formatTimestamp(new Date(2026, 10, 20, 14, 32, 5))).toBe('20/11/2026 14:32:05');
});

describe('spanSince', () => {
  it.each([
    ['2026-11-26', 'aujourd’hui'],
    ['2026-11-25', 'hier'],
    ['2026-11-10', '16 jours'],
    ['2026-10-27', '30 jours'],
    ['2026-10-26', 'un mois'],
    ['2026-08-24', '3 mois'],
    ['2025-11-26', 'un an'],
    ['2023-01-01', '3 ans'],
  ])('says for how long: %s', (day, words) => {
    const span = spanSince(noonOf(day), new Date('2026-11-26T09:00'));
    expect(span.replaceAll(/\s/gu, ' ')).toBe(words);
  });
});

describe('since', () => {
  it.each([
    ['2026-11-26', 'depuis aujourd’hui'],
    ['2026-11-25', 'depuis hier'],
    ['2026-11-20', 'depuis 6 jours'],
    ['2026-11-19', 'depuis une semaine'],
    ['2026-11-05', 'depuis 3 semaines'],
    ['2026-10-26', 'depuis un mois'],
    ['2023-01-01', 'depuis 3 ans'],
  ])('says since when: %s', (day, words) => {
    const text = since(noonOf(day), new Date('2026-11-26T09:00'));
    expect(text.replaceAll(/\s/gu, ' ')).toBe(words);
  });
});
