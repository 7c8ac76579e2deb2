import type { Page } from 'playwright';

/**
 * Goes to a path of the application as a link does, without loading all anew. What is
 * asked of an address that is opened is another matter (offline.test.ts).
 *
 * As a link that a person follows, it has the focus until the screen comes, which takes it away: what a test focuses
 * afterwards keeps it. An address that is there already, and a control of the same name on the screen before, would not
 * tell that. A sheet that is open refuses it the focus.
 *
 * @param path with the base where there is one
 */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((href) => {
    const link = document.createElement('a');
    link.href = href;
    link.id = 'followed';
    document.body.append(link);
    link.focus({ preventScroll: true });
    link.addEventListener('blur', () => setTimeout(() => link.remove()));
    const hasFocus = document.activeElement === link;
    link.click();
    if (!hasFocus) link.remove();
  }, path);
  await page.waitForURL((url) => url.pathname + url.search === path);
  await page.locator('#followed').waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
}
