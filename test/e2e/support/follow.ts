import type { Page } from 'playwright';

/**
 * Goes to a path of the application as a link does, without loading all anew. What is
 * asked of an address that is opened is another matter (offline.test.ts).
 *
 * @param path with the base where there is one
 */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => {
    const link = document.createElement('a');
    link.href = href;
    document.body.append(link);
    link.click();
    link.remove();
  }, path);
  await page.waitForURL((url) => url.pathname + url.search === path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
}
