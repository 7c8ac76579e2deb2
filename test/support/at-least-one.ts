import { expect } from 'vitest';

/** Returns the items, or throws if there are none: a loop over an empty list would assert nothing. */
export function atLeastOne<T>(items: Iterable<T>): T[] {
  const all = [...items];
  expect(all).not.toEqual([]);
  return all;
}
