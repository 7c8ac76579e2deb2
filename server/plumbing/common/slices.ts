import { setImmediate } from 'node:timers/promises';

/** How long others wait for one slice. */
const SLICE_MS = 10;

/** Runs a long computation in slices, between which everything else has its turn; it yields wherever it may pause. */
export async function inSlices<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const { done, value } = work.next();
      if (done === true) return value;
    }
    await setImmediate();
  }
}
