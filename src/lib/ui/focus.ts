const MAX_FRAMES = 10;

/**
 * Focuses an element that is about to be rendered. A virtual list takes some frames to create a row
 * and some more to make it visible, before which it refuses the focus.
 */
export async function focusWhenRendered(find: () => HTMLElement | null | undefined): Promise<void> {
  for (let frame = 0; frame < MAX_FRAMES; frame++) {
    const element = find();
    element?.focus({ preventScroll: true });
    if (element && element === document.activeElement) return;
    await new Promise(requestAnimationFrame);
  }
}
