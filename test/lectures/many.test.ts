import { expect, test } from 'vitest';
import { NO_POSITION } from '#shared/lectures';
import { KnownLectures } from '#server/subjects/importations/lectures';
import { temporaryDatabase } from '../support/database.ts';

const COUNT = 1000;

const dayAfter = (days: number): string =>
  new Date(Date.UTC(2020, 0, 1 + days)).toISOString().slice(0, 10);

test.each<[string, (nth: number) => { livreId?: number; fin?: string }]>([
  ['dated', (nth) => ({ fin: dayAfter(nth) })],
  ['of as many books', (nth) => ({ livreId: nth + 1 })],
])('readings of one title %s are compared with few', (_, said) => {
  let compared = 0;
  const lectures = Array.from({ length: COUNT }, (_one, nth) => ({
    livreId: null,
    titre: 'Dune',
    auteurs: [],
    isbn: null,
    debut: null,
    fin: null,
    note: null,
    avis: null,
    ...NO_POSITION,
    ...said(nth),
    get abandon() {
      compared++;
      return false;
    },
  }));
  temporaryDatabase().write((tx) => {
    const known = new KnownLectures(tx, 'ana', () => null);
    expect(lectures.flatMap((lecture) => known.addAll([lecture]))).toHaveLength(COUNT);
    // All of them are known now.
    expect(known.addAll(lectures)).toEqual([]);
  });
  expect(compared).toBeLessThan(20 * COUNT);
});
