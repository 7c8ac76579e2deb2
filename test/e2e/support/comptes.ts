import type { Page } from 'playwright';
import { household, type Household } from './household.ts';
import { t } from './messages.ts';

export const PASSWORD = 'une longue phrase';

/** A household with accounts. */
export const householdWithAccounts = (): Promise<Household> => household({ ACCOUNTS: 'oui' });

/** Accepts an invitation by choosing a password, for the first member also a name. */
export async function acceptInvitation(page: Page, nom?: string): Promise<void> {
  if (nom !== undefined) await page.getByLabel(t.field_nom(), { exact: true }).fill(nom);
  await page.getByLabel(t.mot_de_passe_choose()).fill(PASSWORD);
  await page.getByRole('button', { name: t.arrival_enter() }).click();
  await page.getByRole('heading', { name: t.library_empty() }).waitFor();
}
