import type { Page } from 'playwright';
import { expect } from 'vitest';

/** The single input of « Ajouter ». */
export const addField = (page: Page) =>
  page.getByRole('searchbox', { name: 'ISBN, titre ou auteur', exact: true });

/** Types a code, a title or an author and submits it. */
export async function searchForBook(page: Page, text: string): Promise<void> {
  await addField(page).fill(text);
  await addField(page).press('Enter');
}

/** The card with the search result. */
export const resultCard = (page: Page) => page.getByRole('region', { name: /^Recherche/ });

/** Shows all fields of a new book's form; the form stays unfolded for the next book. */
export async function unfold(page: Page): Promise<void> {
  const byHand = page.getByRole('button', { name: 'Sans ISBN, à la main' });
  const correct = page.getByRole('button', { name: 'Corriger', exact: true });
  await expect
    .poll(async () => {
      // A restored draft may replace the button.
      if (await byHand.isVisible()) await byHand.click({ timeout: 1000 }).catch(() => undefined);
      return await correct.isVisible();
    })
    .toBe(true);
  if ((await correct.getAttribute('aria-expanded')) === 'false') await correct.click();
  await addField(page).focus();
}

/** Shows the optional fields of a book's form that are still empty. */
export const unfoldFields = (page: Page): Promise<void> => page.getByText(/Autres champs/).click();
