/** How many frames a virtual list may take to show the rows of another place. */
const IMAGES = 10;

/**
 * Gives the focus to an element that is about to come: a virtual list takes some frames to have a
 * row, and some more to let it be seen, before which it takes no focus.
 */
export async function viserAApparition(
  chercher: () => HTMLElement | null | undefined,
): Promise<void> {
  for (let image = 0; image < IMAGES; image++) {
    const element = chercher();
    element?.focus({ preventScroll: true });
    if (element && element === document.activeElement) return;
    await new Promise(requestAnimationFrame);
  }
}
