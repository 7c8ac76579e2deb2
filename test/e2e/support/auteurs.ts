import type { Page } from 'playwright';

/** Unfolds the pairs, which are one line until that is pressed, and stay unfolded. */
export async function openPairs(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Noms qui se ressemblent/ });
  await button.waitFor();
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}
