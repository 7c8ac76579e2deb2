import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices, oneAtATime } from '#server/plumbing/common/slices';

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('a long computation lets others have their turn', async () => {
  const ended = new AbortController();
  let turns = 0;
  const others = (async () => {
    while (!ended.signal.aborted) {
      await setImmediate();
      turns += 1;
    }
  })();
  function* work(): Generator<void, string> {
    for (let step = 0; step < 20; step++) {
      spin(12);
      yield;
    }
    return 'done';
  }
  expect(await inSlices(work())).toBe('done');
  ended.abort();
  await others;
  expect(turns).toBeGreaterThanOrEqual(20);
});

test('who asks during a long computation shares the next one, even where this one fails', async () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const ask = oneAtATime(() => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  });
  const first = ask();
  await setImmediate();
  const others = [ask(), ask(), ask()];
  await setImmediate();
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('A first failure'));
  await expect(first).rejects.toThrow('A first failure');
  await setImmediate();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve(7);
  expect(await Promise.all(others)).toEqual([7, 7, 7]);
  expect(runs).toHaveLength(2);
});
