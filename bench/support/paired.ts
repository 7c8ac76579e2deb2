import { median } from './timing.ts';

/** A figure of two sides, measured alternately. */
export interface Pair {
  readonly before: number;
  readonly now: number;
}

interface Comparison {
  /** Before and now. */
  readonly medians: readonly [number, number];
  /** The median of the rounds' differences, relative to the earlier value. */
  readonly difference: number;
  /** The interval that contains the true difference with a probability of 90 %. */
  readonly spread: readonly [least: number, most: number];
  /** True if the interval contains zero. */
  readonly isSame: boolean;
}

/** The probability that the interval contains the difference. */
const CONFIDENCE = 0.9;

/** Compares round by round, since other load on the machine then affected both sides. */
export function compare(pairs: readonly Pair[]): Comparison {
  const differences = pairs
    .map(({ before, now }) => (before === now ? 0 : now / before - 1))
    .sort((a, b) => a - b);
  const outside = leftOut(differences.length);
  const least = differences.at(outside) ?? NaN;
  const most = differences.at(-1 - outside) ?? NaN;
  return {
    medians: [median(pairs.map(({ before }) => before)), median(pairs.map(({ now }) => now))],
    difference: median(differences),
    spread: [least, most],
    isSame: least <= 0 && most >= 0,
  };
}

/**
 * How many differences to leave out at each end. The median is outside of the k-th smallest and k-th largest only if
 * fewer than k rounds are on one side of it, which has the probability of as many tosses of a coin.
 */
function leftOut(rounds: number): number {
  let left = 0;
  let combinations = 1;
  let tosses = 1;
  for (;;) {
    combinations *= (rounds - left) / (left + 1);
    tosses += combinations;
    if (1 - (2 * tosses) / 2 ** rounds < CONFIDENCE) return left;
    left++;
  }
}
