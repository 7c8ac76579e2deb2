import { expect, test } from 'vitest';
import { SortedList } from '#shared/sorted-list';

const PORTION = 128;

/** A permutation of the numbers from 1. */
const numbers = Array.from({ length: 10_000 }, (_, i) => ((i * 7919) % 10_000) + 1);

test('portions are sorted as they come, not when asked for', () => {
  let compared = 0;
  const list = new SortedList<number>((a, b) => {
    compared++;
    return a - b;
  });
  for (let start = 0; start < numbers.length; start += PORTION) {
    for (const number of numbers.slice(start, start + PORTION)) list.add(number);
    if (start === PORTION * 40) list.remove(numbers[0] ?? NaN);
    compared = 0;
    list.sortPending();
    expect(compared).toBeLessThan(numbers.length * 4);
  }
  compared = 0;
  const { items } = list;
  expect(compared).toBeLessThan(numbers.length * 4);
  expect(items).toEqual(numbers.slice(1).toSorted((a, b) => a - b));
});

test('few changes and many leave each item once, in order', () => {
  for (const many of [3, 300]) {
    const list = new SortedList<number>((a, b) => a - b);
    const all = Array.from({ length: many }, (_, i) => i);
    for (const number of all.toReversed()) list.add(number);
    expect([list.size, list.items]).toEqual([many, all]);
    list.remove(1);
    expect(list.size).toBe(many - 1);
    list.add(1);
    expect([list.size, list.items]).toEqual([many, all]);
    for (const number of all.slice(1)) list.remove(number);
    list.add(many);
    list.add(many + 1);
    list.remove(many);
    expect([list.size, list.items]).toEqual([2, [0, many + 1]]);
    expect(list.items).toEqual([0, many + 1]);
  }
});

test('many added items are sorted in portions, with changes in between', () => {
  let compared = 0;
  const list = new SortedList<{ readonly key: number }>((a, b) => {
    compared++;
    return a.key - b.key;
  });
  const items = numbers.map((key) => ({ key }));
  for (const item of items) list.add(item);
  const present = new Set(items);
  const replace = (index: number) => {
    const item = items[index];
    if (item === undefined) return;
    const next = { key: item.key };
    list.remove(item);
    list.add(next);
    present.delete(item);
    present.add(next);
    items[index] = next;
  };
  let parts = 0;
  for (; list.sortNextChunk(); parts++) {
    expect(compared).toBeLessThan(numbers.length * 2);
    for (const index of [0, parts, numbers.length - 1 - parts]) replace(index);
    compared = 0;
  }
  expect(parts).toBeGreaterThan(10);
  compared = 0;
  const inOrder = [...present].sort((a, b) => a.key - b.key);
  expect(list.items.every((item, index) => item === inOrder[index])).toBe(true);
  expect([list.size, list.items.length]).toEqual([inOrder.length, inOrder.length]);
  expect(compared).toBeLessThan(numbers.length * 3);
});
