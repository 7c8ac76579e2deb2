import type { Locator, Page } from 'playwright';

const liste = (page: Page): Locator => page.getByRole('list', { name: 'Livres' });

/** The row of a book in the catalogue. */
export const ligne = (page: Page, titre: string): Locator =>
  liste(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: titre, exact: true }) });

/** The titles that the catalogue shows, in their order. */
export const lignes = (page: Page): Promise<string[]> =>
  liste(page).getByRole('link').allInnerTexts();

/** Types into the catalogue's search field. */
export const chercher = (page: Page, texte: string): Promise<void> =>
  page.getByRole('searchbox', { name: 'Rechercher' }).fill(texte);

/** Chooses a filter, whose row unfolds first where it is folded. */
export async function filtrer(page: Page, groupe: string, valeur: string): Promise<void> {
  const rangee = page.getByRole('group', { name: groupe });
  if (!(await rangee.isVisible())) await page.getByRole('button', { name: /^Filtres/ }).click();
  await rangee.getByRole('radio', { name: valeur, exact: true }).check();
}
