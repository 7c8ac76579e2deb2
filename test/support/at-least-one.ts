import { expect } from 'vitest';

/** These, of which there is one at least: a loop over none would assert nothing. */
export function atLeastOne<T>(items: Iterable<T>): T[] {
  const all = [...items];
  expect(all).not.toEqual([]);
  return all;
}
