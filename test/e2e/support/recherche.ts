import type { Page } from 'playwright';
import { onTestFinished } from 'vitest';
import {
  playUpstream,
  type PlayedUpstream,
  type PlayOptions,
} from '../../../demo/upstream/server.ts';
import { household, type Household } from './household.ts';

/** A household whose service asks played catalogues, which end with the test. */
export async function householdWithCatalogues(
  options: PlayOptions = {},
): Promise<{ house: Household; upstream: PlayedUpstream }> {
  const upstream = await playUpstream(options);
  onTestFinished(() => upstream.close());
  const house = await household({
    BNF_SRU_URL: upstream.bnfSruUrl,
    OPEN_LIBRARY_URL: upstream.openLibraryUrl,
  });
  return { house, upstream };
}

/** Types as a USB scanner does: the digits wherever the focus is, then Enter. */
export async function scanByKeyboard(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}
