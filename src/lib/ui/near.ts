import type { Attachment } from 'svelte/attachments';
import { printed } from './media.ts';

/** How far outside the window content is rendered, in window heights, so that a flick does not outrun it. */
const BEYOND = 1;

const tellers = new WeakMap<Element, (width: number) => void>();
const far = new Set<Element>();

let sizes: ResizeObserver | undefined;
let sights: IntersectionObserver | undefined;

function note(element: Element, width: number): void {
  far.delete(element);
  sights?.unobserve(element);
  tellers.get(element)?.(width);
}

function isNearNow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > -BEYOND * innerHeight && top < (1 + BEYOND) * innerHeight;
}

function begin(): void {
  sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries)
      if (!far.has(target) || isNearNow(target)) note(target, contentRect.width);
  });
  sights = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries)
        if (isIntersecting) note(target, boundingClientRect.width);
    },
    { rootMargin: `${String(100 * BEYOND)}% 0px` },
  );
}

/**
 * Reports the width of an element once it comes near the window, and whenever it changes. All elements are measured
 * together after the browser's layout, since single measurements would force one each.
 *
 * @param onwidth called before the first paint if the element is near at once
 */
export const whenNear =
  (onwidth: (width: number) => void): Attachment<HTMLElement> =>
  (element) => {
    if (sizes === undefined) begin();
    tellers.set(element, onwidth);
    // Paper has all of a page.
    if (printed.current) {
      onwidth(element.clientWidth);
      return undefined;
    }
    far.add(element);
    sizes?.observe(element);
    sights?.observe(element);
    return () => {
      far.delete(element);
      sizes?.unobserve(element);
      sights?.unobserve(element);
    };
  };
