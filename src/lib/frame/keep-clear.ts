/** Something that was pressed, and where it stood then. */
export interface Press {
  readonly element: Element;
  readonly box: DOMRect;
}

/** A press on a control of the screen; `null` for one in a dialog, or outside of the screen. */
export function pressOf({ target }: Event): Press | null {
  if (!(target instanceof Element) || target.closest('main') === null) return null;
  if (target.closest('dialog') !== null) return null;
  const element = target.closest('li') ?? target;
  return { element, box: element.getBoundingClientRect() };
}

/**
 * Scrolls the last pressed control, the row below it and the focused one out from under a bar that appears at the
 * foot of the window, unless a person has scrolled them out of sight.
 */
export function keepClear(bar: HTMLElement, press: Press | null): void {
  const foot = bar.getBoundingClientRect().top;
  const focused = document.activeElement;
  if (press !== null) {
    const { element, box } = press;
    // The next row comes up to where a removed one stood.
    const { top, bottom, height } = element.isConnected ? element.getBoundingClientRect() : box;
    scrollClear(element, top, element.isConnected ? bottom + height : bottom, foot);
  }
  if (focused === null || focused.closest('main, dialog')?.matches('main') !== true) return;
  const { top, bottom } = focused.getBoundingClientRect();
  scrollClear(focused, top, bottom, foot);
}

function scrollClear(element: Element, top: number, bottom: number, foot: number): void {
  if (bottom <= foot || top > innerHeight || bottom - foot > innerHeight / 2) return;
  scrollerOf(element)?.scrollBy({ top: bottom - foot });
}

/** The nearest part that scrolls with the element; `null` for a bar that stands at the foot itself. */
function scrollerOf(element: Element): Element | null {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { position, overflowY } = getComputedStyle(one);
    if (position === 'fixed' || one.matches('.foot-bar')) return null;
    if (overflowY === 'auto' && one.scrollHeight > one.clientHeight) return one;
  }
  return document.scrollingElement;
}
