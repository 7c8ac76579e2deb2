import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cases } from '../support/random.ts';
import { FairQueue, QueueFull, type QueueLimits } from '#server/plumbing/upstream/queue';

const never = new AbortController().signal;

/** A queue whose named jobs end on demand. */
function playedQueue(limits: Partial<QueueLimits>) {
  const queue = new FairQueue({ total: 1, waiting: 10, ...limits });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (owner: string, name: string, signal = never) =>
    queue.run({ owner, signal }, async () => {
      started.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
      return name;
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    // The next job starts after the promises that wait for this one.
    await new Promise(setImmediate);
  };
  return { add, end, started };
}

test('jobs run while there is room, and return their results', async () => {
  const queue = new FairQueue({ total: 2, waiting: 0 });
  const a = { owner: 'a', signal: never };
  await expect(queue.run(a, () => Promise.resolve(1))).resolves.toBe(1);
  const failure = new Error('No');
  await expect(queue.run(a, () => Promise.reject(failure))).rejects.toBe(failure);
  await expect(queue.run(a, () => Promise.resolve(2))).resolves.toBe(2);
});

test('owners take turns, however much one of them asks for', async () => {
  const { add, end, started } = playedQueue({ total: 1 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name);
  for (const name of ['b1', 'b2']) void add('b', name);
  void add('c', 'c1');
  await new Promise(setImmediate);
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) await end(name);
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('no caller can fill the queue', async () => {
  const { add, started } = playedQueue({ total: 4, perOwner: 2 });
  for (const name of ['a1', 'a2', 'a3', 'a4']) void add('a', name);
  await new Promise(setImmediate);
  expect(started).toEqual(['a1', 'a2']);
  void add('b', 'b1');
  await new Promise(setImmediate);
  expect(started).toEqual(['a1', 'a2', 'b1']);
});

test('an owner’s lightest work comes first, with few waiting', async () => {
  const queue = new FairQueue({ total: 1, waiting: 2 });
  const done: number[] = [];
  const run = (weight: number) =>
    queue.run({ owner: 'a', signal: never }, async () => void done.push(weight), { weight });
  const works = [run(9), run(5), run(1)];
  await expect(run(1)).rejects.toThrow(QueueFull);
  await Promise.all(works);
  expect(done).toEqual([9, 1, 5]);
  await run(3);
});

test('a caller that gives up leaves the queue', async () => {
  const { add, end, started } = playedQueue({ total: 1 });
  const controller = new AbortController();
  void add('a', 'a1');
  const givenUp = add('b', 'b1', controller.signal);
  void add('b', 'b2');
  await new Promise(setImmediate);
  controller.abort();
  await expect(givenUp).rejects.toThrow('Given up');
  await end('a1');
  expect(started).toEqual(['a1', 'b2']);
});

test('a caller that gave up before does not join the queue', async () => {
  const { add, end, started } = playedQueue({ total: 1 });
  void add('a', 'a1');
  await expect(add('c', 'c1', AbortSignal.abort())).rejects.toThrow();
  await end('a1');
  expect(started).toEqual(['a1']);
});

test('the queue keeps its limits, and does all work', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ owner: fc.constantFrom('a', 'b', 'c'), ticks: fc.nat(3) }), {
        maxLength: 40,
        size: 'max',
      }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (works, total, perOwner) => {
        const queue = new FairQueue({ total, perOwner, waiting: 40 });
        const running: string[] = [];
        const done = await Promise.all(
          works.map(({ owner, ticks }) =>
            queue.run({ owner, signal: never }, async () => {
              running.push(owner);
              expect(running.length).toBeLessThanOrEqual(total);
              expect(running.filter((one) => one === owner).length).toBeLessThanOrEqual(perOwner);
              for (let i = 0; i < ticks; i++) await Promise.resolve();
              running.splice(running.indexOf(owner), 1);
            }),
          ),
        );
        expect(done).toHaveLength(works.length);
      },
    ),
    cases(),
  );
});
