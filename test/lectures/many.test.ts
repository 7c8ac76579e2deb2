import { expect, test } from 'vitest';
import { KnownLectures } from '#server/subjects/lectures';
import { temporaryDatabase } from '../support/database.ts';

const COUNT = 1000;

test('readings of one title are compared with few others', () => {
  let compared = 0;
  const lectures = Array.from({ length: COUNT }, (_, days) => ({
    ...{ livreId: null, titre: 'Dune', auteurs: [], isbn: null },
    ...{ debut: null, note: null, avis: null },
    fin: new Date(Date.UTC(2020, 0, 1 + days)).toISOString().slice(0, 10),
    get abandon() {
      compared++;
      return false;
    },
  }));
  temporaryDatabase().write((tx) => {
    const known = new KnownLectures(tx, 'ana');
    expect(lectures.flatMap((lecture) => known.addAll([lecture]))).toHaveLength(COUNT);
    // Each is known by now.
    expect(known.addAll(lectures)).toEqual([]);
  });
  expect(compared).toBeLessThan(20 * COUNT);
});
