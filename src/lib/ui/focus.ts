import { goto } from '$app/navigation';

const MAX_FRAMES = 10;

/**
 * Focuses an element that is about to be rendered. A virtual list takes some frames to create a row
 * and some more to make it visible, before which it refuses the focus. Whoever moves the focus
 * meanwhile keeps it.
 */
export async function focusWhenRendered(find: () => HTMLElement | null | undefined): Promise<void> {
  const before = document.activeElement;
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    const current = document.activeElement;
    if (current !== before && current !== document.body) return;
    const element = find();
    element?.focus({ preventScroll: true });
    if (element && element === document.activeElement) return;
    await new Promise(requestAnimationFrame);
  }
}

/** Opens the record of a row that an arrow key has moved to, in place of the one open beside the list. */
export function openBeside(link: HTMLElement): void {
  const open = document.querySelector('main [data-shortcut="row"][aria-current="true"]');
  if (open === null || open === link || !(link instanceof HTMLAnchorElement)) return;
  void goto(link.href, { replaceState: true, keepFocus: true, noScroll: true });
}
