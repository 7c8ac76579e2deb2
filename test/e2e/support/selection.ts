import type { Locator, Page } from 'playwright';
import { household, type Household } from './household.ts';
import { ends, t } from './messages.ts';

export async function houseOf(...titres: string[]): Promise<Household> {
  const house = await household();
  for (const titre of titres) await house.ajouter({ titre });
  return house;
}

export const bar = (page: Page): Locator =>
  page.getByRole('region', { name: 'Actions sur la sélection' });

export const box = (page: Page, titre: string): Locator =>
  page.getByRole('checkbox', { name: titre, exact: true });

/** The code for long presses and keys is loaded after the list. */
export const untilGestures = (page: Page): Promise<void> => page.waitForLoadState('networkidle');

/** Presses « Sélectionner », on the screen itself or in a sheet. */
export async function startSelection(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: t.select(), exact: true });
  const sheet = page
    .getByRole('button', { name: ends(t.tri_and_display()) })
    .or(page.getByRole('button', { name: t.souhaits_more(), exact: true }));
  await button.or(sheet).first().waitFor();
  if (await button.isHidden()) await sheet.click();
  await button.click();
  await page.getByRole('dialog').filter({ has: button }).waitFor({ state: 'detached' });
}

/** Starts a selection of these records. */
export async function select(page: Page, ...titres: string[]): Promise<void> {
  await startSelection(page);
  for (const titre of titres) await box(page, titre).click();
  await bar(page)
    .getByText(new RegExp(`^${String(titres.length)} [^ ]+ sélectionnée?s?$`))
    .waitFor();
}

/** The rendered titles that are selected. */
export const chosen = (page: Page): Promise<string[]> =>
  page
    .getByRole('checkbox', { checked: true })
    .evaluateAll((boxes) => boxes.map((one) => one.getAttribute('aria-label') ?? ''));
