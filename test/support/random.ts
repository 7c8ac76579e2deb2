import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    runsFactor: number;
    seed: number;
    randomTimeout: number;
  }
}

const FACTOR = inject('runsFactor');

export const SEED = inject('seed');

/** The number of a test's cases: `count` times `RUNS_FACTOR`. */
export const runs = (count: number): number => Math.ceil(count * FACTOR);

/** Options of fast-check for `runs(count)` cases from `SEED`. */
export const cases = (count = 100) => ({ numRuns: runs(count), seed: SEED });

export const RANDOM_TIMEOUT_MS = inject('randomTimeout');

/** A generator whose numbers depend on the seed only (mulberry32). */
export function random(seed: number) {
  let state = seed;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  /** An integer from 0 to `bound` - 1. */
  const integer = (bound: number): number => Math.floor(fraction() * bound);
  function oneOf<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const chosen = choices[integer(choices.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }
  return { fraction, integer, oneOf };
}
