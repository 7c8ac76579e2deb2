import { afterPaint } from './after-paint.ts';
import { printed } from './media.ts';

/**
 * The beginning of a long list, then another portion after each paint until it is complete: a screen with thousands
 * of rows shows the first ones at once and stays responsive. Printing has all rows. Call during a component's setup.
 *
 * @param portion how many rows a slow phone renders in a twentieth of a second
 * @param first how many are rendered at once: a window's height
 */
export function renderedPortion<T>(
  items: () => readonly T[],
  portion: number,
  first = portion,
): () => readonly T[] {
  let count = $state(first);
  $effect(() => {
    const { length } = items();
    // An emptied list starts over.
    if (length === 0) count = first;
    return count < length ? afterPaint(() => (count += portion)) : undefined;
  });
  return () => (count < items().length && !printed.current ? items().slice(0, count) : items());
}
