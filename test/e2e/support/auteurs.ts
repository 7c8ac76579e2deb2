import type { Page } from 'playwright';

/** Unfolds the list of similar authors, which then stays unfolded. */
export async function openPairs(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Noms qui se ressemblent/ });
  await button.waitFor();
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
}
