import type { Page } from 'playwright';
import { onTestFinished } from 'vitest';
import { jouerAmont, type Amont, type Jeu } from '../../../demo/upstream/serveur.ts';
import { household, type Household } from './household.ts';

/** A household whose service asks played catalogues, which end with the test. */
export async function householdWithCatalogues(
  jeu: Jeu = {},
): Promise<{ maison: Household; amont: Amont }> {
  const amont = await jouerAmont(jeu);
  onTestFinished(() => amont.close());
  const maison = await household({
    BNF_SRU_URL: amont.bnfSruUrl,
    OPEN_LIBRARY_URL: amont.openLibraryUrl,
  });
  return { maison, amont };
}

/** Types as a USB scanner does: the digits wherever the focus is, then Enter. */
export async function scanByKeyboard(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}
