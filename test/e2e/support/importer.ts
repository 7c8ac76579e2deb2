import type { Locator, Page } from 'playwright';

/** The preview's submit button, as « Importer 2 livres ». */
export const importButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(?:Importer|Compléter)\b/ });

/** Opens a section of the preview. */
export async function openFold(page: Page, label: string | RegExp): Promise<Locator> {
  const fold = page.locator('details').filter({ has: page.locator('summary', { hasText: label }) });
  await fold.locator('summary').first().press('Enter');
  return fold;
}

/** Waits for a number of books in the preview or in the result. */
export const importedCount = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { name: text, exact: true }).waitFor({ timeout: 60_000 });
