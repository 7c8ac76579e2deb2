import { expect, test, vi } from 'vitest';
import { patiently } from '../../scripts/support/patience.mjs';

test('long silent work is reported every five seconds', async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const work = new Promise<string>((resolve) => setTimeout(() => resolve('done'), 12_000));
  const waiting = patiently('Installation…', work, { say: (line) => lines.push(line) });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await waiting).toBe('done');
  expect(lines).toEqual(['Installation…', '  … 5 s', '  … 10 s']);
});
