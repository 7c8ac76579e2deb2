import type { BrowserContext, Page } from 'playwright';

/** Notes what comes into the pages of a device together with its live region, which is read out to nobody. */
export const noteUnsaid = (context: BrowserContext): Promise<unknown> =>
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

/** What matches of that. */
export const unsaid = async (page: Page, text: RegExp): Promise<string[]> => {
  const all = await page.evaluate(() => Reflect.get(globalThis, 'unsaid') as string[]);
  return all.filter((each) => text.test(each));
};
