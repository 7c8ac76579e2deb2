import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices, oneAtATime } from '#server/plumbing/common/slices';

const { signal: awaited } = new AbortController();

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
  expect(await inSlices(work(), awaited)).toBe('done');
  ended.abort();
  await others;
  expect(turns).toBeGreaterThanOrEqual(20);
});

test('callers during a long computation share the next run, even if this one fails', async () => {
  const runs: PromiseWithResolvers<number>[] = [];
  const ask = oneAtATime(() => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  });
  const first = ask(awaited);
  await setImmediate();
  const others = [ask(awaited), ask(awaited), ask(awaited)];
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

test('a long computation is aborted when its caller leaves', async () => {
  const asker = new AbortController();
  let steps = 0;
  function* endless(): Generator<void, never> {
    for (;;) {
      spin(12);
      steps++;
      yield;
    }
  }
  const working = inSlices(endless(), asker.signal);
  await setImmediate();
  asker.abort();
  await expect(working).rejects.toThrow(asker.signal.reason);
  const before = steps;
  await setImmediate();
  expect(steps).toBe(before);
});

/** Computations that the test resolves; each has its abort signal. */
function heldRuns() {
  const runs: (PromiseWithResolvers<number> & { signal: AbortSignal })[] = [];
  const ask = oneAtATime((signal) => {
    const run = Promise.withResolvers<number>();
    signal.addEventListener('abort', () => run.reject(signal.reason));
    runs.push({ ...run, signal });
    return run.promise;
  });
  return { runs, ask };
}

test('a shared computation is aborted when its last caller leaves', async () => {
  const { runs, ask } = heldRuns();
  const askers = [new AbortController(), new AbortController()];
  const answers = askers.map(({ signal }) => ask(signal));
  await setImmediate();
  askers[0]?.abort();
  expect(runs[0]?.signal.aborted).toBe(false);
  askers[1]?.abort();
  expect(runs[0]?.signal.aborted).toBe(true);
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  const later = ask(awaited);
  await setImmediate();
  runs[1]?.resolve(7);
  expect(await later).toBe(7);
});

test('a computation abandoned before its turn never begins, and a later caller gets a new one', async () => {
  const { runs, ask } = heldRuns();
  const first = ask(awaited);
  await setImmediate();
  const leaving = new AbortController();
  const left = ask(leaving.signal);
  leaving.abort();
  const later = ask(awaited);
  runs[0]?.resolve(1);
  expect(await first).toBe(1);
  await expect(left).rejects.toThrow(leaving.signal.reason);
  await setImmediate();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve(2);
  expect(await later).toBe(2);
  await expect(ask(leaving.signal)).rejects.toThrow(leaving.signal.reason);
  expect(runs).toHaveLength(2);
});
