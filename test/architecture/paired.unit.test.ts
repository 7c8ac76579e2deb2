import { expect, test } from 'vitest';
import { compare } from '../../bench/support/paired.ts';

const pairs = (...values: readonly (readonly [before: number, now: number])[]) =>
  values.map(([before, now]) => ({ before, now }));

test('a benchmark reports no difference if the rounds disagree', () => {
  const { difference, spread, isSame } = compare(
    pairs([100, 110], [100, 95], [200, 230], [100, 100], [100, 104]),
  );
  expect(difference).toBeCloseTo(0.04);
  expect(spread.map((part) => part.toFixed(2))).toEqual(['-0.05', '0.15']);
  expect(isSame).toBe(true);
});

test('a benchmark reports a difference that every round shows, on a slow machine too', () => {
  const { medians, difference, spread, isSame } = compare(
    pairs([100, 120], [300, 345], [100, 118], [150, 180], [100, 121]),
  );
  expect(medians).toEqual([100, 121]);
  expect(difference).toBeCloseTo(0.2);
  expect(spread.map((part) => part.toFixed(2))).toEqual(['0.15', '0.21']);
  expect(isSame).toBe(false);
});

test('a bench leaves the outermost of many rounds out of its spread', () => {
  const slower = Array.from({ length: 9 }, () => [100, 110] as const);
  expect(compare(pairs(...slower, [100, 50])).isSame).toBe(false);
  expect(compare(pairs(...slower.slice(0, 4), [100, 50])).isSame).toBe(true);
});

test('a figure that is nothing on both sides is the same', () => {
  expect(compare(pairs([0, 0], [0, 0], [0, 0], [0, 0], [0, 0])).isSame).toBe(true);
});
