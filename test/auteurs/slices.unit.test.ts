import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices } from '#server/plumbing/common/slices';

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('a long computation lets others have their turn', async () => {
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    while (!isDone) {
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
  isDone = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(20);
});
