import type { Page } from 'playwright';
import { expect } from 'vitest';

/** The one field of « Ajouter ». */
export const addField = (page: Page) =>
  page.getByRole('searchbox', { name: 'ISBN, titre ou auteur', exact: true });

/** Asks for a code, a title or an author, as a person types it. */
export async function askFor(page: Page, text: string): Promise<void> {
  await addField(page).fill(text);
  await addField(page).press('Enter');
}

/** The card that answers. */
export const answer = (page: Page) => page.getByRole('region', { name: /^Recherche/ });

/** Unfolds the whole form of a book, which stays unfolded for the next one. */
export async function unfold(page: Page): Promise<void> {
  const byHand = page.getByRole('button', { name: 'Sans ISBN, à la main' });
  const correct = page.getByRole('button', { name: 'Corriger', exact: true });
  await expect
    .poll(async () => {
      // A draft that comes meanwhile takes the button's place.
      if (await byHand.isVisible()) await byHand.click({ timeout: 1000 }).catch(() => undefined);
      return await correct.isVisible();
    })
    .toBe(true);
  if ((await correct.getAttribute('aria-expanded')) === 'false') await correct.click();
  await addField(page).focus();
}

/** Shows the fields of a book's form that the book lacks. */
export const unfoldFields = (page: Page): Promise<void> => page.getByText(/Autres champs/).click();
