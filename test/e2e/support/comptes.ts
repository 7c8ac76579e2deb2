import type { Page } from 'playwright';
import { household, type Household } from './household.ts';

export const PASSWORD = 'une longue phrase';

/** A house of its own accounts. */
export const home = (): Promise<Household> => household({ ACCOUNTS: 'oui' });

/** Chooses a password on the page of an invitation; the first member says a name, too. */
export async function arrive(page: Page, nom?: string): Promise<void> {
  if (nom !== undefined) await page.getByLabel('Nom', { exact: true }).fill(nom);
  await page.getByLabel('Choisir un mot de passe').fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrer dans la bibliothèque' }).click();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
}
