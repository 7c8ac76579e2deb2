import type { Locator, Page } from 'playwright';
import { t } from './messages.ts';

/** The bar that says what was just done. */
export const feedback = (page: Page): Locator => page.getByRole('region', { name: t.feedback() });

/** Waits until the bar says this. */
export const told = (page: Page, text: string | RegExp): Promise<void> =>
  feedback(page).getByText(text).waitFor();

/** Goes where the bar leads once it says this. */
export async function view(page: Page, text: string | RegExp): Promise<void> {
  await told(page, text);
  await feedback(page).getByRole('link', { name: t.view() }).click();
}

/** « L’ajout de « Dune » est annulé. », « Annulé. » of several acts. */
export const UNDONE = /(?:annulée?|undone)\.$/i;

/** Undoes what the bar says. */
export async function undo(page: Page): Promise<void> {
  await feedback(page).getByRole('button', { name: t.undo() }).click();
  await told(page, UNDONE);
}
