/** Runs work once the screen has shown a change for `delayMs`: no keystroke waits for it. Returns how to cancel it. */
export function afterPaint(work: () => void, delayMs = 0): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work, delayMs);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

/** A browser under load may never be idle: a piece of work waits this long at most, in milliseconds. */
const MAX_WAIT_MS = 1000;

/** Runs short pieces of work in idle time until one returns true. */
export function whenIdle(work: () => boolean): () => void {
  let isCancelled = false;
  const later: (callback: () => void) => void =
    'requestIdleCallback' in globalThis
      ? (callback) => void requestIdleCallback(callback, { timeout: MAX_WAIT_MS })
      : (callback) => void setTimeout(callback, 50);
  const run = () => {
    if (!isCancelled && !work()) later(run);
  };
  later(run);
  return () => (isCancelled = true);
}

/** Runs work once, at a quiet moment. Returns how to cancel it. */
export const atQuietMoment = (work: () => void): (() => void) =>
  whenIdle(() => {
    work();
    return true;
  });
