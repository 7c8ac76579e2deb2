import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Waits until the first button of each name is disabled and described by « Hors ligne … ». */
export async function expectDisabledOffline(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const button = page.getByRole('button', { name, exact: true }).first();
    await expect.poll(() => button.isDisabled(), { message: name }).toBe(true);
    const reason = await button.getAttribute('aria-describedby');
    await page
      .locator(`#${reason ?? 'no-reason'}`)
      .getByText(/Hors ligne/)
      .waitFor();
  }
}
