import type { Locator, Page } from 'playwright';
import { household, type Household } from './household.ts';
import { startSelection } from './catalogue.ts';

export async function houseOf(...titres: string[]): Promise<Household> {
  const house = await household();
  for (const titre of titres) await house.ajouter({ titre });
  return house;
}

export const bar = (page: Page): Locator =>
  page.getByRole('region', { name: 'Actions sur la sélection' });

export const box = (page: Page, titre: string): Locator =>
  page.getByRole('checkbox', { name: titre, exact: true });

/** How one selects by a press or a key comes a moment behind the list. */
export const untilGestures = (page: Page): Promise<void> => page.waitForLoadState('networkidle');

/** Begins a selection by its button, with these books. */
export async function select(page: Page, ...titres: string[]): Promise<void> {
  await startSelection(page);
  for (const titre of titres) await box(page, titre).click();
  await bar(page)
    .getByText(new RegExp(`^${String(titres.length)} livres? sélectionné`))
    .waitFor();
}

/** The titles of the selected books that are rendered. */
export const chosen = (page: Page): Promise<string[]> =>
  page
    .getByRole('checkbox', { checked: true })
    .evaluateAll((boxes) => boxes.map((one) => one.getAttribute('aria-label') ?? ''));
