import { afterPaint } from './after-paint.ts';
import { printed } from './media.ts';

/**
 * The beginning of a long list, then a portion more after each paint until all of it is there: a screen with thousands of
 * rows shows its first ones at once, and is never held up for long. Paper has all of it. Call while a component is set up.
 *
 * @param portion how many rows a slow phone makes in a twentieth of a second
 * @param first how many come with the screen itself: what a window has room for
 */
export function renderedPortion<T>(
  items: () => readonly T[],
  portion: number,
  first = portion,
): () => readonly T[] {
  let count = $state(first);
  $effect(() => {
    const { length } = items();
    // What is empty begins anew.
    if (length === 0) count = first;
    return count < length ? afterPaint(() => (count += portion)) : undefined;
  });
  return () => (count < items().length && !printed.current ? items().slice(0, count) : items());
}
