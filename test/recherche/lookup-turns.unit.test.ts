import { expect, test, vi } from 'vitest';
import type { LookupResult } from '../../src/lib/recherche/lookup.svelte.ts';
import { LookupTurns } from '../../src/lib/recherche/lookup-turns.ts';

/** Microtasks between the end of a lookup and the next request. */
const MOMENTS = Array.from({ length: 12 }, (_, moment) => moment);

test('at most two codes are looked up at a time', async () => {
  for (const moment of MOMENTS) {
    const answers = new Map<string, () => void>();
    let running = 0;
    let most = 0;
    const turns = new LookupTurns(async (code): Promise<LookupResult> => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => answers.set(code, resolve));
      running--;
      return { outcome: 'none', silentSources: [] };
    });
    const asked = ['a', 'b', 'c'].map((code) => turns.ask(code));
    answers.get('a')?.();
    for (let step = 0; step < moment; step++) await Promise.resolve();
    asked.push(turns.ask('d'));
    for (const code of ['b', 'c', 'd']) {
      await expect.poll(() => answers.has(code)).toBe(true);
      answers.get(code)?.();
    }
    await Promise.all(asked);
    expect(most, `after ${moment} steps`).toBe(2);
  }
});

test('ten seconds count from the asking of a code', async () => {
  vi.useFakeTimers();
  const turns = new LookupTurns(
    (code, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        if (code.startsWith('slow'))
          setTimeout(() => resolve({ outcome: 'none', silentSources: [] }), 9_000);
      }),
    10_000,
  );
  const asked = ['slow', 'slow too', 'slow and last', 'never'].map((code) => turns.ask(code));
  await vi.advanceTimersByTimeAsync(18_500);
  expect(await Promise.all(asked.slice(0, 3))).not.toContain(null);
  await vi.advanceTimersByTimeAsync(600);
  expect(await asked[3]).toBe(null);
  vi.useRealTimers();
});

test('a waiting title is asked about as long as needed', async () => {
  vi.useFakeTimers();
  const turns = new LookupTurns(async (_code, signal) => {
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    signal.throwIfAborted();
    return { outcome: 'none', silentSources: [] };
  });
  const asked = turns.ask('late');
  await vi.advanceTimersByTimeAsync(61_000);
  expect(await asked).toMatchObject({ outcome: 'none' });
  vi.useRealTimers();
});

test('after two silences no code is asked for a minute', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  const turns = new LookupTurns(async (code): Promise<LookupResult> => {
    asked.push(code);
    return { outcome: code.startsWith('known') ? 'none' : 'silent', silentSources: [] };
  });
  // A single silence has no effect: an answer resets the count.
  for (const code of ['a', 'known', 'b', 'c']) await turns.ask(code);
  expect(await turns.ask('d')).toBeNull();
  await vi.advanceTimersByTimeAsync(59_000);
  expect(await turns.ask('e')).toBeNull();
  expect(asked).toEqual(['a', 'known', 'b', 'c']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await turns.ask('f')).toMatchObject({ outcome: 'silent' });
  expect(await turns.ask('g')).toBeNull();
  // A person's own search does not wait.
  turns.wake();
  expect(await turns.ask('h')).toMatchObject({ outcome: 'silent' });
  expect(asked).toEqual(['a', 'known', 'b', 'c', 'f', 'h']);
  vi.useRealTimers();
});
