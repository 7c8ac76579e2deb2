import { median } from './timing.ts';

/** A figure of two sides, measured one after the other. */
export interface Pair {
  readonly before: number;
  readonly now: number;
}

interface Comparison {
  /** Before and now. */
  readonly medians: readonly [number, number];
  /** The median of the rounds' differences, as a part of what was before. */
  readonly difference: number;
  /** The interval that holds the true difference with a probability of 90 %. */
  readonly spread: readonly [least: number, most: number];
  /** The spread holds « no difference ». */
  readonly isSame: boolean;
}

/** How sure the spread is to hold the difference. */
const CONFIDENCE = 0.9;

/** Compares round by round: what else the machine did then has met both sides. */
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
 * How many of the least and of the most differences a spread leaves out. The median lies between the k-th least and the k-th
 * most unless fewer than k rounds are on one side of it, as with tosses of a coin.
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
