import type { Locator, Page } from 'playwright';
import { expect } from 'vitest';
import { follow } from './follow.ts';
import { begins, ends, t } from './messages.ts';

const livreList = (page: Page): Locator => page.getByRole('list', { name: t.list_livres() });

export const livreRow = (page: Page, titre: string): Locator =>
  livreList(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: titre, exact: true }) });

/** The titles of the catalogue, as listed. */
export const livreTitles = (page: Page): Promise<string[]> =>
  livreList(page).getByRole('link').allInnerTexts();

export const searchFor = (page: Page, text: string): Promise<void> =>
  page.getByRole('searchbox', { name: t.rechercher() }).fill(text);

/** Chooses a filter's value, after unfolding the filters if they are hidden. */
export async function filterBy(page: Page, name: string, value: string): Promise<void> {
  const group = page.getByRole('group', { name });
  if (!(await group.isVisible()))
    await page.getByRole('button', { name: begins(t.filters()) }).click();
  await group.getByRole('radio', { name: value, exact: true }).check();
}

/** Opens the sheet with the catalogue's order and layout, and closes it if the choice does not. */
async function arrange(page: Page, choose: (sheet: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: ends(t.tri_and_display()) }).click();
  const sheet = page.getByRole('dialog', { name: t.tri_and_display_heading() });
  await choose(sheet);
  if (await sheet.isVisible()) await sheet.getByRole('button', { name: t.close() }).click();
  await sheet.waitFor({ state: 'detached' });
}

export const sortBy = (page: Page, order: string): Promise<void> =>
  arrange(page, (sheet) => sheet.getByRole('radio', { name: order, exact: true }).check());

/** Reverses the order of the catalogue. */
export const reverse = (page: Page): Promise<void> =>
  arrange(page, (sheet) => sheet.getByRole('checkbox', { name: t.tri_inverse() }).click());

export const showAs = (page: Page, affichage: 'Liste' | 'Couvertures'): Promise<void> =>
  arrange(page, (sheet) => sheet.getByRole('radio', { name: affichage }).check());

/** Returns « Chez nous » above the list, which a new device shows from its second visit on. */
export async function chezNous(page: Page): Promise<Locator> {
  const place = page.getByRole('region', { name: t.chez_nous() });
  await expect
    .poll(async () => {
      await follow(page, '/souhaits');
      await follow(page, '/');
      return place.isVisible();
    })
    .toBe(true);
  // The list restores its scroll position until the reader does something.
  await page.keyboard.press('Shift');
  return place;
}
