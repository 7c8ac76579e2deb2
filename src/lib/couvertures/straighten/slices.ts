/** As long as a phone may be at work before it must answer to a finger, in milliseconds. */
const SLICE_MS = 8;

/** Does a long piece of work that yields now and then, and lets the screen answer in between. Throws once `here` is aborted. */
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
