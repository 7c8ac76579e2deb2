import { expect, test, vi } from 'vitest';
import { patiently } from '../../scripts/support/patience.mjs';

test('long silent work is reported every five seconds', async () => {
  vi.useFakeTimers();
  const said: string[] = [];
  const work = new Promise<string>((resolve) => setTimeout(() => resolve('done'), 12_000));
  const told = patiently('Installation…', work, { say: (line) => said.push(line) });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await told).toBe('done');
  expect(said).toEqual(['Installation…', '  … 5 s', '  … 10 s']);
});
