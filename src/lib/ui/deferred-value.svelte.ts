import { untrack } from 'svelte';

/** What is updated behind the next paint, all of it in one go. */
const waiting = new Set<() => void>();
let frame: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** A change between a paint and what follows it has another paint to wait for. */
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

/** Follows a value one paint behind: a keystroke is on the screen before the rest. Call while a component is set up. */
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
