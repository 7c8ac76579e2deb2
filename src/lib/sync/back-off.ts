/** A number from 0 up to 1. */
export type Chance = () => number;

const SHORTEST_MS = 1_000;
const LONGEST_MS = 300_000;

/**
 * The longest wait for a server that is out of reach: the reader learns within a minute that it is back.
 * A server that answers and fails is left alone for longer.
 */
const LONGEST_OUT_OF_REACH_MS = 45_000;

/**
 * How long to wait after so many failures (from 1) in a row, in milliseconds: twice as long each
 * time, up or down by a quarter, so that the devices of a household do not come back all at once.
 */
export function backOff(failures: number, outOfReach: boolean, chance: Chance): number {
  const longest = outOfReach ? LONGEST_OUT_OF_REACH_MS : LONGEST_MS;
  const ms = SHORTEST_MS * 2 ** Math.min(failures - 1, 20) * (0.75 + chance() / 2);
  return Math.min(longest, Math.max(SHORTEST_MS, ms));
}
