import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices } from '#server/plumbing/common/slices';

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
