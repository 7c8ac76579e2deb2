import { expect, onTestFinished, test, vi } from 'vitest';
import { FILLING_PAUSES } from '$lib/complements/operations';
import { poll } from '$lib/ui/online-answer.svelte';

const MINUTE_MS = 60_000;

test('codes without a title are asked about ever more seldom, every ten minutes at last', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const begin = Date.now();
  const asked: number[] = [];
  const ask = async () => {
    asked.push(Date.now() - begin);
    return false;
  };
  const stop = poll(ask, 'asking', FILLING_PAUSES);
  await vi.advanceTimersByTimeAsync(120 * MINUTE_MS);
  const pauses = asked.slice(1).map((ms, i) => ms - (asked[i] ?? 0));
  expect(asked[0]).toBeLessThan(MINUTE_MS);
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b));
  expect(pauses[0]).toBe(MINUTE_MS);
  expect(pauses.slice(-5)).toEqual(Array(5).fill(10 * MINUTE_MS));
  stop();
  const count = asked.length;
  await vi.advanceTimersByTimeAsync(120 * MINUTE_MS);
  expect(asked).toHaveLength(count);
});
