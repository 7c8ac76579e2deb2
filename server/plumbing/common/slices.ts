import { setImmediate } from 'node:timers/promises';

/** How long others wait for one slice. */
const SLICE_MS = 10;

/** Gives the pieces of a long answer, of which everything else has its turn after each. */
export async function* inPieces<T>(pieces: Iterable<T>): AsyncGenerator<T> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}

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

/**
 * Runs a long computation once at a time: all who ask while it runs get the next one, which begins after it, so that no
 * answer is older than its question.
 */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= last.then(() => {
      next = null;
      return work();
    });
    last = next.catch(() => undefined);
    return next;
  };
}
