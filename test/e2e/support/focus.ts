import type { Page } from 'playwright';

/**
 * Returns the controls without a visible focus outline: none appears on the control, its parents or its siblings, or
 * it is clipped completely. Of controls with the same classes and parent, three are checked.
 */
export async function controlsWithoutFocusOutline(page: Page): Promise<string[]> {
  // After a key press, Chromium shows the outline also if a script moves the focus.
  await page.keyboard.press('Shift');
  return page.evaluate(() => {
    const ALIKE = 3;
    const PSEUDO = [undefined, '::before', '::after'];

    const outlineOf = (element: Element, pseudo?: string): number => {
      const style = getComputedStyle(element, pseudo);
      const isThere = pseudo === undefined || style.content !== 'none';
      const isSeen = isThere && style.outlineStyle !== 'none' && !/, 0\)$/.test(style.outlineColor);
      const width = parseFloat(style.outlineWidth);
      return isSeen && width > 0 ? width + parseFloat(style.outlineOffset) : -Infinity;
    };
    const reachOf = (element: Element): number =>
      Math.max(...PSEUDO.map((pseudo) => outlineOf(element, pseudo)));

    /** Whether ancestors clip all four sides of an element's outline. */
    const isCutOff = (element: Element, reach: number): boolean => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const seen = new Set(['left', 'top', 'right', 'bottom']);
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(box);
        const clip = box.getBoundingClientRect();
        if (overflowX !== 'visible' && left - reach < clip.left - 0.5) seen.delete('left');
        if (overflowX !== 'visible' && right + reach > clip.right + 0.5) seen.delete('right');
        if (overflowY !== 'visible' && top - reach < clip.top - 0.5) seen.delete('top');
        if (overflowY !== 'visible' && bottom + reach > clip.bottom + 0.5) seen.delete('bottom');
      }
      return seen.size === 0;
    };

    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input, select, textarea, summary, [tabindex="0"]',
    );
    const before = document.activeElement;
    const kinds = new Map<string, number>();
    const unseen: string[] = [];
    for (const element of all) {
      const kind = `${element.tagName}.${element.className} in ${element.parentElement?.className ?? ''}`;
      const alike = (kinds.get(kind) ?? 0) + 1;
      if (alike > ALIKE || element.tabIndex < 0 || !element.checkVisibility()) continue;
      kinds.set(kind, alike);
      // The outline may be drawn by a parent, or by a sibling as a check box's label.
      const around = new Set<Element>([element]);
      for (let box = element.parentElement; box !== null; box = box.parentElement) around.add(box);
      for (const child of element.parentElement?.children ?? []) around.add(child);
      (document.activeElement as HTMLElement | null)?.blur();
      const outlined = [...around].filter((one) => reachOf(one) > -Infinity);
      element.focus({ focusVisible: true });
      if (document.activeElement !== element) continue;
      const isSeen = [...around].some((one) => {
        const reach = reachOf(one);
        return reach > -Infinity && !outlined.includes(one) && !isCutOff(one, reach);
      });
      if (!isSeen) unseen.push(`${kind}: « ${element.ariaLabel ?? element.textContent.trim()} »`);
    }
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    return unseen;
  });
}
