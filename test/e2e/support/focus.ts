import type { Page } from 'playwright';

/**
 * What a keyboard's focus can be on without being seen: nothing that is not outlined otherwise gets an
 * outline by it, or all of that outline is cut off. Of things that look alike the first few are tried.
 */
export async function unseenFocus(page: Page): Promise<string[]> {
  // Chromium shows the focus that a script moves where the last hand was on the keyboard, Firefox where it is asked.
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

    /** Whether an ancestor cuts off every side of what surrounds an element. */
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
      // What surrounds it, and what stands beside it: the look of a box is its label's.
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
