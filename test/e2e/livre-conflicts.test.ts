import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Livre, LivreSaisi } from '#shared/livres';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterEmplacement, rangerLivre, supprimerEmplacement } from './support/collections.ts';
import { device } from './support/device.ts';
import { household, type Household } from './support/household.ts';
import { blockChanges } from './support/souhaits.ts';

/** Edits a book as another device. */
async function writeElsewhere(
  house: Household,
  method: 'PUT' | 'DELETE',
  id: number,
  saisie?: LivreSaisi,
): Promise<void> {
  const response = await fetch(`${house.url}/api/livres/${String(id)}`, {
    method,
    headers: saisie === undefined ? {} : { 'content-type': 'application/json' },
    body: saisie === undefined ? null : JSON.stringify(saisie),
  });
  expect(response.ok).toBe(true);
}

async function storedLivres(house: Household): Promise<Livre[]> {
  const response = await fetch(`${house.url}/api/livres`);
  return (await response.json()) as Livre[];
}

const DESERT = { titre: 'Désert', auteurs: ['J. M. G. Le Clézio'], format: 'Physique' } as const;

const conflictAlert = (page: Page) =>
  page.getByRole('alert').filter({ hasText: /^\s*Entre-temps/ });

const settle = (page: Page, field: string, choice: 'Garder ma saisie' | 'Reprendre la sienne') =>
  conflictAlert(page)
    .getByRole('group', { name: field })
    .getByRole('button', { name: choice })
    .click();

const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer' }).click();

test('the form shows another person’s conflicting text', async () => {
  const house = await household();
  const livre = await house.ajouter({ ...DESERT, auteurs: [...DESERT.auteurs] });
  const { id } = livre;
  const page = await (await device(house)).open(`/livres/${String(id)}/modifier`);
  const form = page.getByRole('main');
  await form.getByLabel('Éditeur').fill('Gallimard');
  // The conflict names the other person at the field and at the button.
  const headers = { SSO_USER: 'Bob', 'content-type': 'application/json' };
  const body = JSON.stringify({ ...DESERT, editeur: 'Folio' });
  await fetch(`${house.url}/api/livres/${String(id)}`, { method: 'PUT', headers, body });
  await conflictAlert(page).getByText('Entre-temps, Bob a modifié cette fiche.').waitFor();
  await expect.poll(() => form.getByText('Bob\u00a0: Folio', { exact: true }).count()).toBe(1);
  await form.getByText('Bob, Éditeur\u00a0: Folio', { exact: true }).waitFor();
  expect(await accessibilityFaults(page, '/livres/[id]/modifier: a conflict')).toEqual([]);
  await page.getByRole('button', { name: 'Comparer' }).click();
  await page.keyboard.press('Enter');
  await conflictAlert(page).waitFor({ state: 'detached' });
  expect(await form.getByText('Bob\u00a0: Folio').count()).toBe(0);
  await save(page);
  await page.getByRole('heading', { name: 'Désert', exact: true }).waitFor();
  expect(await storedLivres(house)).toMatchObject([{ editeur: 'Gallimard' }]);

  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByLabel('Éditeur').fill('Folio');
  // A loan causes no conflict.
  await house.preter(livre, 'Luc');
  await save(page);
  await page
    .getByRole('main')
    .getByText(/^Prêté à Luc/)
    .waitFor();
  expect(await storedLivres(house)).toMatchObject([{ editeur: 'Folio' }]);

  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByLabel('Éditeur').fill('Gallimard');
  // The other change is shown in fields that were not edited here.
  await writeElsewhere(house, 'PUT', id, {
    titre: 'Désert',
    format: 'Physique',
    editeur: 'Folio',
    annee: 1980,
  });
  const annee = conflictAlert(page).getByRole('group', { name: 'Année' });
  await annee.getByText(/Vous n’avez rien changé ici/).waitFor();
  for (const name of ['Garder ma saisie', 'Reprendre la sienne'])
    expect(await annee.getByRole('button', { name }).count()).toBe(1);
  await save(page);
  await page.getByRole('heading', { name: 'Désert', exact: true }).waitFor();
  expect(await storedLivres(house)).toMatchObject([{ editeur: 'Gallimard', annee: 1980 }]);
});

test('another’s edit is settled field by field', async () => {
  const house = await household();
  const { id } = await house.ajouter({ ...DESERT, auteurs: [...DESERT.auteurs] });
  const page = await (await device(house)).open(`/livres/${String(id)}/modifier`);
  await page.getByLabel('Titre').fill('Désert, roman');
  await page.getByLabel('Éditeur').fill('Folio');
  await writeElsewhere(house, 'PUT', id, {
    titre: 'Désert (1980)',
    auteurs: ['Le Clézio', 'Jémia'],
    format: 'Physique',
    typeDocument: 'Roman',
    editeur: 'Folio',
    annee: 1980,
  });
  await conflictAlert(page).getByText('Désert (1980)').waitFor();
  expect(
    await accessibilityFaults(page, '/livres/[id]/modifier: a book that is there by now'),
  ).toEqual([]);
  // A field changed to the same value on both sides causes no conflict.
  expect(await conflictAlert(page).getByRole('group', { name: 'Éditeur' }).count()).toBe(0);
  await save(page);
  expect(await storedLivres(house)).toMatchObject([{ titre: 'Désert (1980)' }]);
  await settle(page, 'Titre', 'Garder ma saisie');
  await settle(page, 'Auteurs', 'Reprendre la sienne');
  await settle(page, 'Type de document', 'Reprendre la sienne');
  await settle(page, 'Année', 'Garder ma saisie');
  await conflictAlert(page).waitFor({ state: 'detached' });
  await page.getByRole('listitem').filter({ hasText: 'Jémia' }).waitFor();
  await save(page);
  await page.getByRole('heading', { name: 'Désert, roman' }).waitFor();
  expect(await storedLivres(house)).toMatchObject([
    {
      titre: 'Désert, roman',
      auteurs: [{ nom: 'Le Clézio' }, { nom: 'Jémia' }],
      typeDocument: 'Roman',
      editeur: 'Folio',
      annee: null,
    },
  ]);
});

test('an edit unknown to the device is not overwritten', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(id)}/modifier`);
  await page.getByLabel('Éditeur').fill('Gallimard');
  const letNewsThrough = blockChanges(phone);
  await writeElsewhere(house, 'PUT', id, { titre: 'Désert', format: 'Physique', annee: 1980 });
  await save(page);
  await settle(page, 'Année', 'Reprendre la sienne');
  letNewsThrough();
  await save(page);
  await page.getByRole('heading', { name: 'Désert', exact: true }).waitFor();
  expect(await storedLivres(house)).toMatchObject([{ editeur: 'Gallimard', annee: 1980 }]);

  await page.getByText('1980').waitFor();
  const letTheseThrough = blockChanges(phone);
  await writeElsewhere(house, 'PUT', id, {
    titre: 'Désert',
    format: 'Physique',
    editeur: 'Folio',
  });
  await page.getByRole('button', { name: 'Supprimer' }).click();
  const dialog = page.getByRole('dialog', { name: 'Supprimer « Désert » ?' });
  await dialog.getByText('Folio').waitFor();
  expect(await accessibilityFaults(page, '/livres/[id]: a deletion of what has changed')).toEqual(
    [],
  );
  expect(await storedLivres(house)).toHaveLength(1);
  letTheseThrough();
  await dialog.getByRole('button', { name: 'Supprimer quand même' }).click();
  await page.getByText('Les rayons sont vides').waitFor();
});

test('a book deleted elsewhere can be added again', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${String(id)}/modifier`);
  await page.getByLabel('Titre').fill('Désert, roman');
  await writeElsewhere(house, 'DELETE', id);
  await conflictAlert(page).waitFor();
  expect(await page.getByLabel('Titre').inputValue()).toBe('Désert, roman');
  await page.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await page.getByRole('heading', { name: 'Désert, roman' }).waitFor();
  const added = await storedLivres(house);
  expect(added).toMatchObject([{ titre: 'Désert, roman' }]);

  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByLabel('Titre').waitFor();
  await writeElsewhere(house, 'DELETE', added[0]?.id ?? 0);
  await page.getByRole('button', { name: 'Fermer' }).click();
  await page.getByText('Les rayons sont vides').waitFor();
});

test('the reason why a book is not added again is shown', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${String(id)}/modifier`);
  await page.getByLabel('Titre').fill('Désert, roman');
  await writeElsewhere(house, 'DELETE', id);
  await page.route(/\/api\/livres\?/, (route) => route.fulfill({ status: 500 }), { times: 1 });
  await page.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await page.getByRole('alert').getByText('Une erreur est survenue').waitFor();
  await page.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await page.getByRole('heading', { name: 'Désert, roman' }).waitFor();
});

test('a book added again gets its former location', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  await rangerLivre(house, id, salon.id);
  const page = await (await device(house)).open(`/livres/${String(id)}/modifier`);
  await page.getByLabel('Titre').fill('Désert, roman');
  await writeElsewhere(house, 'DELETE', id);
  await page.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await page.getByRole('heading', { name: 'Désert, roman' }).waitFor();
  const [added] = await storedLivres(house);
  expect(added).toMatchObject({ emplacementId: salon.id });

  await page.getByRole('button', { name: 'Modifier' }).click();
  await page.getByLabel('Titre').fill('Désert');
  // If the location was deleted too, the book has none.
  await supprimerEmplacement(house, salon.id);
  await writeElsewhere(house, 'DELETE', added?.id ?? 0);
  await page.getByRole('button', { name: 'Ajouter de nouveau' }).click();
  await page.getByRole('heading', { name: 'Désert', exact: true }).waitFor();
  expect(await storedLivres(house)).toMatchObject([{ titre: 'Désert', emplacementId: null }]);
});

test('a draft survives a sign-on for its writer alone', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(id)}/modifier`);
  await page.getByLabel('Éditeur').fill('Gallimard');
  phone.portal.state = 'expired';
  // The device may notice the expired session at any time, and then its notice would be under the mouse.
  await page.getByRole('button', { name: 'Enregistrer' }).dispatchEvent('click');
  await page.getByRole('button', { name: 'Session expirée, se reconnecter' }).first().click();
  // The portal redirects to the catalogue; a navigation before that would be aborted.
  await page.waitForURL(`${phone.portal.url}/`);
  await page.goto(`${phone.portal.url}/livres/${String(id)}/modifier`);
  await expect.poll(() => page.getByLabel('Éditeur').inputValue()).toBe('Gallimard');

  phone.portal.user = 'bruno';
  await page.reload();
  await page.getByLabel('Titre').waitFor();
  await expect.poll(() => page.getByLabel('Titre').inputValue()).toBe('Désert');
  expect(await page.getByLabel('Éditeur').inputValue()).toBe('');
});

test('a deletion that is to leave its readings to another record of the book loses none where that one is renamed', async () => {
  const house = await household();
  const auteurs = ['Émile Zola'];
  const first = await house.ajouter({ titre: 'Nana', auteurs });
  const second = await house.ajouter({ titre: 'Nana : roman', auteurs });
  await house.setStatut(second, 'alice', 2);
  const phone = await device(house);
  const page = await phone.open(`/livres/${String(second.id)}`);
  await page.getByRole('heading', { name: 'Nana : roman' }).waitFor();
  blockChanges(phone);
  const { format } = second;
  await page.getByRole('button', { name: 'Supprimer', exact: true }).click();
  const keep = page.getByRole('button', { name: 'Transférer et supprimer' });
  await keep.waitFor();
  await writeElsewhere(house, 'PUT', first.id, { titre: 'Germinal', auteurs, format });
  await keep.click();
  await page.getByText('n’est pas une autre fiche du même livre').waitFor();
  expect(await storedLivres(house)).toHaveLength(2);
});
