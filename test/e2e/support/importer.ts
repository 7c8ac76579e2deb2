import type { Locator, Page } from 'playwright';

/** The one button of a preview: « Importer 2 livres ». */
export const importButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(?:Importer|Compléter)\b/ });

/** A part of a preview, opened by its name. */
export async function openFold(page: Page, label: string | RegExp): Promise<Locator> {
  const fold = page.locator('details').filter({ has: page.locator('summary', { hasText: label }) });
  await fold.locator('summary').first().press('Enter');
  return fold;
}

/** How many books the preview, or the import, has. */
export const importedCount = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { name: text, exact: true }).waitFor({ timeout: 60_000 });
