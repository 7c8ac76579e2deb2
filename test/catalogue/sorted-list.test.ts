import { expect, test } from 'vitest';
import { SortedList } from '#shared/sorted-list';

/** Numbers from 1 on in no order, each once. */
const numbers = Array.from({ length: 10_000 }, (_, i) => ((i * 7919) % 10_000) + 1);

test('one change of many items takes few comparisons', () => {
  let compared = 0;
  const list = new SortedList<number>((a, b) => {
    compared++;
    return a - b;
  });
  for (const number of numbers) list.add(number);
  expect(list.items).toEqual(numbers.toSorted((a, b) => a - b));
  compared = 0;
  list.remove(5000);
  list.add(5000.5);
  expect(list.items.slice(4998, 5001)).toEqual([4999, 5000.5, 5001]);
  expect(compared).toBeLessThan(2 * numbers.length);
});
