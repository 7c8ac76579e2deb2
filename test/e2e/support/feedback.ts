import type { Locator, Page } from 'playwright';
import { t } from './messages.ts';

/** The bar that confirms the last modification. */
export const feedback = (page: Page): Locator => page.getByRole('region', { name: t.feedback() });

/** Waits for a confirmation. */
export const expectFeedback = (page: Page, text: string | RegExp): Promise<void> =>
  feedback(page).getByText(text).waitFor();

/** Waits for a confirmation and follows its link. */
export async function view(page: Page, text: string | RegExp): Promise<void> {
  await expectFeedback(page, text);
  await feedback(page).getByRole('link', { name: t.view() }).click();
}

/** The confirmation of an undo, as « L’ajout de « Dune » est annulé. », or « Annulé. » for a group. */
export const UNDONE = /(?:annulée?|undone)\.$/i;

/** Undoes what the bar has confirmed. */
export async function undo(page: Page): Promise<void> {
  await feedback(page).getByRole('button', { name: t.undo() }).click();
  await expectFeedback(page, UNDONE);
}
