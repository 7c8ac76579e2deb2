import { untrack } from 'svelte';

/** Updates waiting for the next paint, applied together. */
const waiting = new Set<() => void>();
let frame: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A change between a paint and its update waits for another paint. */
function updateBehindPaint(): void {
  if (frame !== undefined) return;
  clearTimeout(timer);
  frame = requestAnimationFrame(() => {
    frame = undefined;
    timer = setTimeout(() => {
      const updates = [...waiting];
      waiting.clear();
      for (const update of updates) update();
    });
  });
}

/**
 * A value that lags one paint behind, so that a keystroke is shown before the rest. Call during a component's setup.
 */
export function deferredValue<T>(value: () => T): () => T {
  let shown = $state.raw(untrack(value));
  const update = () => {
    shown = value();
  };
  $effect(() => {
    if (value() === untrack(() => shown)) return undefined;
    waiting.add(update);
    updateBehindPaint();
    return () => waiting.delete(update);
  });
  return () => shown;
}
