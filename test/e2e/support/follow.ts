import type { Page } from 'playwright';

/**
 * Navigates to a path by a link, without reloading the application; offline.test.ts opens addresses directly.
 * The temporary link holds the focus until the new screen takes it. So this resolves after the screen's change of
 * focus, even if the address or a control's name was there before. An open sheet refuses the focus.
 *
 * @param path including the base path, if any
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
