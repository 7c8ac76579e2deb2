import type { BrowserContext, Page } from 'playwright';

/** Records texts that are inserted together with their live region: screen readers do not announce those. */
export const recordUnannounced = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const unsaid: string[] = [];
    Object.assign(globalThis, { unsaid });
    const regions = '[role=status], [aria-live]';
    const within = (node: Node) =>
      node instanceof Element
        ? [...(node.matches(regions) ? [node] : []), ...node.querySelectorAll(regions)]
        : [];
    new MutationObserver((changes) => {
      for (const region of changes.flatMap(({ addedNodes }) => [...addedNodes].flatMap(within)))
        unsaid.push(region.textContent.trim());
    }).observe(document, { subtree: true, childList: true });
  });

/** The recorded texts that match. */
export const unannounced = async (page: Page, text: RegExp): Promise<string[]> => {
  const all = await page.evaluate(() => Reflect.get(globalThis, 'unsaid') as string[]);
  return all.filter((each) => text.test(each));
};
