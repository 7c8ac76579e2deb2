import type { LookupFunction } from 'node:net';
import { expect, test, vi } from 'vitest';
import { BackgroundQuestions } from '#server/plumbing/upstream/sources';
import { createDnsLookup } from '#server/plumbing/upstream/http';
import { QueueFull } from '#server/plumbing/upstream/queue';

/** Resolves a name to an address, or to the error. */
const ask = (lookup: LookupFunction, name: string): Promise<unknown> =>
  new Promise((resolve) =>
    lookup(name, {}, (error, address) => resolve(error === null ? address : error.message)),
  );

test('names are looked up in turn, a hundred waiting', async () => {
  const lookup = createDnsLookup({ admits: () => true, maxConcurrent: 1, timeoutMs: 60_000 });
  const answers = await Promise.all(Array.from({ length: 103 }, () => ask(lookup, '127.0.0.1')));
  expect(answers.filter((answer) => answer === '127.0.0.1')).toHaveLength(101);
  expect(answers.slice(101)).toEqual(Array(2).fill('Too much is waiting'));
});

test('an address that is not admitted is none', async () => {
  const lookup = createDnsLookup({ admits: () => false, maxConcurrent: 1, timeoutMs: 60_000 });
  expect(await ask(lookup, '127.0.0.1')).toBe('No address to connect to');
});

test('no more than a hundred questions wait in the background', async () => {
  const background = new BackgroundQuestions();
  const { signal, abort } = abortable();
  const never = () =>
    new Promise<string>((_, reject) => {
      signal.addEventListener('abort', () => reject(new Error('Given up')));
    });
  const begun = Array.from({ length: 101 }, () => background.ask(signal, never, () => false));
  await expect(background.ask(signal, never, () => false)).rejects.toThrow(QueueFull);
  abort();
  const settled = await Promise.allSettled(begun);
  expect(settled.map(({ status }) => status)).toEqual(Array(101).fill('rejected'));
});

test('silent catalogues are left alone ever longer, an hour at most', async () => {
  vi.useFakeTimers();
  const background = new BackgroundQuestions();
  const { signal } = abortable();
  const MINUTE_MS = 60_000;
  const asked: number[] = [];
  const ask = async (isSilence: boolean) => {
    asked.push(Date.now() / MINUTE_MS);
    return isSilence;
  };
  const silent = Array.from({ length: 11 }, () =>
    background.ask(
      signal,
      () => ask(true),
      (answer) => answer,
    ),
  );
  await vi.advanceTimersByTimeAsync(8 * 60 * MINUTE_MS);
  await Promise.all(silent);
  const rests = () => asked.slice(1).map((minute, i) => Math.round(minute - (asked[i] ?? 0)));
  expect(rests()).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 60, 60]);
  // An answer to a person ends the pause.
  background.note(true);
  expect(background.areSilent).toBe(true);
  background.note(false);
  asked.length = 0;
  const answered = [1, 2, 3].map(() =>
    background.ask(
      signal,
      () => ask(false),
      (answer) => answer,
    ),
  );
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  await Promise.all(answered);
  expect(rests()).toEqual([0, 0]);
});

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
