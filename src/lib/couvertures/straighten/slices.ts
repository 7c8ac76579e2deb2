/** The duration of a slice, in milliseconds, so that a phone stays responsive. */
const SLICE_MS = 8;

/** Runs long work that yields now and then, in slices. Throws once `here` is aborted. */
export async function inSlices<T>(work: Generator<undefined, T>, here: AbortSignal): Promise<T> {
  let since = performance.now();
  for (;;) {
    here.throwIfAborted();
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
    since = performance.now();
  }
}
