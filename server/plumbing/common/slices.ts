import { setImmediate } from 'node:timers/promises';

/** How long others wait for one slice. */
const SLICE_MS = 10;

/** Yields the pieces of a long response; other work of the event loop runs after each. */
export async function* inPieces<T>(pieces: Iterable<T>): AsyncGenerator<T> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}

/** Returns a function that gives each caller a turn of the event loop, with other work in between. */
export function turnsApart(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => setImmediate()));
}

/**
 * Runs a long computation in slices, with other work in between. The generator yields wherever it may pause; the
 * computation ends when the signal is aborted.
 */
export async function inSlices<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const { done, value } = work.next();
      if (done === true) return value;
    }
    await setImmediate();
  }
}

/** Runs such a computation at once, where nobody waits. */
export function runToEnd<T>(work: Generator<void, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * Runs a long computation once at a time. Callers that ask meanwhile share the next run, so that no result is older
 * than its request.
 *
 * @param work gets a signal that is aborted once all callers of the run have aborted theirs
 */
export function oneAtATime<T>(
  work: (signal: AbortSignal) => Promise<T>,
): (caller: AbortSignal) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: SharedRun<T> | null = null;
  const plan = (): SharedRun<T> => {
    const run = new SharedRun(last, (signal) => {
      if (next === run) next = null;
      return work(signal);
    });
    last = run.done;
    return run;
  };
  return async (caller) => {
    caller.throwIfAborted();
    if (next === null || next.isLeft) next = plan();
    return next.result(caller);
  };
}

/** Callers share a computation that has not begun yet. */
class SharedRun<T> {
  readonly done: Promise<unknown>;
  readonly #result: Promise<T>;
  readonly #left = new AbortController();
  #callers = 0;

  constructor(before: Promise<unknown>, work: (signal: AbortSignal) => Promise<T>) {
    const { signal } = this.#left;
    this.#result = before.then(() => {
      signal.throwIfAborted();
      return work(signal);
    });
    this.done = this.#result.catch(() => undefined);
  }

  /** Whether all callers have aborted. */
  get isLeft(): boolean {
    return this.#left.signal.aborted;
  }

  async result(caller: AbortSignal): Promise<T> {
    const leave = (): void => {
      this.#callers--;
      if (this.#callers === 0) this.#left.abort(caller.reason);
    };
    this.#callers++;
    caller.addEventListener('abort', leave, { once: true });
    return this.#result.finally(() => caller.removeEventListener('abort', leave));
  }
}
