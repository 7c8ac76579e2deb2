import type { Locator, Page } from 'playwright';

const livreList = (page: Page): Locator => page.getByRole('list', { name: 'Livres' });

/** The row of a book in the catalogue. */
export const livreRow = (page: Page, titre: string): Locator =>
  livreList(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: titre, exact: true }) });

/** The titles in the catalogue, in their order. */
export const livreTitles = (page: Page): Promise<string[]> =>
  livreList(page).getByRole('link').allInnerTexts();

/** Types into the catalogue's search field. */
export const searchFor = (page: Page, text: string): Promise<void> =>
  page.getByRole('searchbox', { name: 'Rechercher' }).fill(text);

/** Chooses the value of a filter, and shows the filters first where they are hidden. */
export async function filterBy(page: Page, name: string, value: string): Promise<void> {
  const group = page.getByRole('group', { name });
  if (!(await group.isVisible())) await page.getByRole('button', { name: /^Filtres/ }).click();
  await group.getByRole('radio', { name: value, exact: true }).check();
}
