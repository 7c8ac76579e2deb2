import { describe, expect, test } from 'vitest';
import {
  compareLectures,
  isAfter,
  lectureDateError,
  luParMoi,
  lusParMoi,
  statutOfLecture,
} from '#shared/lectures';

const notation = (given: Partial<Parameters<typeof statutOfLecture>[0]>) => ({
  debut: null,
  fin: null,
  abandon: false,
  ...given,
});

test.each([
  [{}, 'Lue'],
  [{ debut: '2026' }, 'EnCours'],
  [{ fin: '2026' }, 'Lue'],
  [{ debut: '2025', fin: '2026' }, 'Lue'],
  [{ abandon: true }, 'Abandonnee'],
  [{ abandon: true, debut: '2026' }, 'Abandonnee'],
] as const)('the state of a reading follows from %o', (given, expected) => {
  expect(statutOfLecture(notation(given))).toBe(expected);
});

test('open readings come first, then the latest end, undated last, equal ones by id', () => {
  const inOrder = [
    { id: 3, debut: '2026-03' },
    { id: 8, debut: '2026' },
    { id: 1, debut: '2025-05' },
    { id: 9, debut: '2025', fin: '2026-03-12' },
    { id: 10, debut: '2026', fin: '2026-03-12' },
    { id: 2, debut: '2026-02', abandon: true },
    { id: 4, debut: '2026-02-03', fin: '2026-02' },
    { id: 5, debut: '1990', fin: '2025' },
    { id: 6 },
    { id: 7, abandon: true },
  ].map(({ id, ...given }) => ({
    id,
    ...notation(given),
    statut: statutOfLecture(notation(given)),
  }));
  for (const [i, a] of inOrder.entries())
    for (const [j, b] of inOrder.entries())
      expect(Math.sign(compareLectures(a, b)), `${String(a.id)} ${String(b.id)}`).toBe(
        Math.sign(i - j),
      );
});

test.each([
  ['2019-03', '2019-03-12', false],
  ['2019-03-12', '2019-03', false],
  ['2019-03-12', '2019-03-12', false],
  ['2019-03-13', '2019-03-12', true],
  ['2019-03-11', '2019-03-12', false],
  ['2019-04', '2019-03-12', true],
  ['2020', '2019-12-31', true],
  ['2019-12-31', '2020', false],
])('whether %s is after %s, as far as both are known', (date, other, expected) => {
  expect(isAfter(date, other)).toBe(expected);
});

const NO_DATE = 'JOUR_MOIS_ANNEE';
const NOTHING = null;
const TO_COME = 'A_VENIR';

test.each([
  ['2026-11-28', NOTHING],
  ['2026-11', NOTHING],
  ['2026', NOTHING],
  ['0001', NOTHING],
  ['2026-11-29', TO_COME],
  ['2026-12', TO_COME],
  ['2027', TO_COME],
  ['0000', NO_DATE],
  ['0000-01', NO_DATE],
  ['2026-02-30', NO_DATE],
  ['28/11/2026', NO_DATE],
  ['', NO_DATE],
])('the fault of %j as a date of a reading', (date, expected) => {
  expect(lectureDateError(date, '2026-11-28')).toBe(expected);
});

describe('the status that a reader’s readings give a book', () => {
  const lecture = (livreId: number | null, fin: string | null, note: number | null = null) => ({
    livreId,
    fin,
    note,
    abandon: false,
  });

  test.each([
    { what: 'nothing', lectures: [], expected: { note: null, fin: null } },
    {
      what: 'the best rating and the latest end, in whatever order',
      lectures: [lecture(1, '2019'), lecture(1, '2020-03', 9), lecture(1, '2018-12-31', 3)],
      expected: { note: 9, fin: '2020-03' },
    },
    {
      what: 'the rating of one given up, and not its end',
      lectures: [lecture(1, '2019', 4), { ...lecture(1, '2020', 6), abandon: true }],
      expected: { note: 6, fin: '2019' },
    },
  ])('$what', ({ lectures, expected }) => {
    expect(luParMoi(lectures)).toEqual(expected);
  });

  test('by book, those of no book of the household left out', () => {
    const lectures = [lecture(2, '2020'), lecture(null, '2021', 10), lecture(1, null, 5)];
    expect([...lusParMoi([...lectures, lecture(2, '2019', 7)])]).toEqual([
      [2, { note: 7, fin: '2020' }],
      [1, { note: 5, fin: null }],
    ]);
  });
});
