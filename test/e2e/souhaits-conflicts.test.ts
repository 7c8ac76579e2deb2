import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Souhait, SouhaitSaisi } from '#shared/souhaits';
import { device } from './support/device.ts';
import { household, type Household } from './support/household.ts';
import { expectList, pressIn, blockChanges } from './support/souhaits.ts';

/** Edits a wish of alice as another device of hers. */
async function writeElsewhere(
  house: Household,
  method: 'PUT' | 'DELETE',
  { id }: Souhait,
  saisie?: SouhaitSaisi,
): Promise<void> {
  const response = await fetch(`${house.url}/api/souhaits/${String(id)}`, {
    method,
    headers: { SSO_USER: 'alice', ...(saisie && { 'content-type': 'application/json' }) },
    body: saisie === undefined ? null : JSON.stringify(saisie),
  });
  expect(response.ok).toBe(true);
}

const formOf = (page: Page, titre: string): Locator =>
  page.getByRole('form', { name: `Modifier « ${titre} »` });

const stored = async (house: Household): Promise<Souhait[]> => {
  const response = await fetch(`${house.url}/api/souhaits`, { headers: { SSO_USER: 'alice' } });
  return (await response.json()) as Souhait[];
};

test('a wish edited elsewhere is settled field by field', async () => {
  const house = await household();
  const souhait = await house.souhaiter('alice', { titre: 'Regain', auteur: 'Giono' });
  const phone = await device(house);
  const page = await phone.open('/souhaits');
  await pressIn(page, 'Regain', 'Modifier');
  const form = formOf(page, 'Regain');
  await form.getByLabel('Titre').fill('Regain illustré');
  await form.getByRole('button', { name: 'Retirer Giono' }).click();
  await form.getByLabel('Auteurs').fill('J. Giono');
  await writeElsewhere(house, 'PUT', souhait, { titre: 'Regain, roman', auteur: 'Jean Giono' });
  const alert = page.getByRole('alert').filter({ hasText: 'Entre-temps' });
  const keep = alert.getByRole('group', { name: 'Titre' });
  await keep.getByRole('button', { name: 'Garder ma saisie' }).click();
  const take = alert.getByRole('group', { name: 'Auteurs' });
  await take.getByRole('button', { name: 'Reprendre la sienne' }).click();
  await alert.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await expectList(page, 'Livres', ['Regain illustré']);
  expect(await stored(house)).toMatchObject([{ titre: 'Regain illustré', auteur: 'Jean Giono' }]);

  await pressIn(page, 'Regain illustré', 'Modifier');
  const edited = formOf(page, 'Regain illustré');
  await edited.getByLabel('Titre').fill('Regain relié');
  const letNewsThrough = blockChanges(phone);
  await writeElsewhere(house, 'PUT', souhait, { titre: 'Regain, roman' });
  await edited.getByRole('button', { name: 'Enregistrer' }).click();
  await edited
    .getByRole('alert')
    .getByText(/^Entre-temps/)
    .waitFor();
  expect(await stored(house)).toMatchObject([{ titre: 'Regain, roman' }]);
  letNewsThrough();
});

test('a wish removed elsewhere leaves its form as typed', async () => {
  const house = await household();
  const souhait = await house.souhaiter('alice', { titre: 'Regain' });
  const other = await house.souhaiter('alice', { titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open('/souhaits');
  await pressIn(page, 'Regain', 'Modifier');
  const form = formOf(page, 'Regain');
  await form.getByLabel('Titre').fill('Regain illustré');
  await writeElsewhere(house, 'DELETE', souhait);
  await form.getByText(/^Vous avez supprimé cette fiche ailleurs/).waitFor();
  expect(await form.getByLabel('Titre').inputValue()).toBe('Regain illustré');
  await form.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await expectList(page, 'Livres', ['Désert', 'Regain illustré']);

  await pressIn(page, 'Désert', 'Modifier');
  await writeElsewhere(house, 'DELETE', other);
  await formOf(page, 'Désert').getByRole('button', { name: 'Fermer' }).click();
  await expectList(page, 'Livres', ['Regain illustré']);

  const third = await house.souhaiter('alice', { titre: 'Colline' });
  await expectList(page, 'Livres', ['Regain illustré', 'Colline']);
  const letNewsThrough = blockChanges(phone);
  await writeElsewhere(house, 'PUT', third, { titre: 'Colline', auteur: 'Jean Giono' });
  await pressIn(page, 'Colline', 'Supprimer');
  const alert = page.getByRole('alert').filter({ hasText: 'Entre-temps' });
  await alert.getByText('Jean Giono').waitFor();
  letNewsThrough();
  const dialog = page.getByRole('dialog', { name: 'Supprimer « Colline » ?' });
  await dialog.getByRole('button', { name: 'Supprimer quand même' }).click();
  await expectList(page, 'Livres', ['Regain illustré']);
});
