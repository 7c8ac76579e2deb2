import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { BackgroundQuestions } from '#server/plumbing/upstream/sources';
import { createDnsLookup } from '#server/plumbing/upstream/http';
import { QueueFull } from '#server/plumbing/upstream/queue';

/** The address of a name that is one, or why there is none. */
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

function abortable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
