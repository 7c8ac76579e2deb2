import type { Page } from 'playwright';
import type { Livre } from '#shared/livres';
import { expect, test } from 'vitest';
import { goodreads } from '../importations/samples.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterSerie } from './support/collections.ts';
import { device, type Device } from './support/device.ts';
import { household, type Household } from './support/household.ts';

/** Sends a request to the household as another device. */
async function ask(
  house: Household,
  who: string,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  const response = await fetch(house.url + path, {
    method,
    headers: { SSO_USER: who, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok, `${method} ${path}`).toBe(true);
  return response;
}

/** A book with authors, a place in a series, loans, and two readers' statuses. */
async function fullLivre(house: Household) {
  const livre = await house.ajouter({
    titre: 'Désert',
    auteurs: ['J. M. G. Le Clézio'],
    isbn: '9782070408504',
    typeDocument: 'Roman',
  });
  await house.rendre(await house.preter(livre, 'Sophie'));
  await house.setStatut(livre, 'alice', 1);
  await house.setStatut(livre, 'bob', 2);
  await ajouterSerie(house, { titre: 'Romans', places: [{ titre: 'Désert', livreId: livre.id }] });
  return livre;
}

const acts = (page: Page) => page.getByRole('list', { name: 'Modifications' });

const row = (page: Page, sentence: string) =>
  acts(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: sentence, exact: true }) });

/** Opens the history by the menu. */
async function openActs(phone: Device): Promise<Page> {
  const page = await phone.open();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Modifications' }).click();
  await acts(page).getByRole('listitem').first().waitFor();
  return page;
}

const DELETED = 'Livre supprimé\u00a0: Désert';

test('a deleted book is restored with all that it had', async () => {
  const house = await household();
  const livre = await fullLivre(house);
  await ask(house, 'bob', 'DELETE', `/api/livres/${String(livre.id)}`);
  const phone = await device(house);
  const page = await openActs(phone);
  await page.getByRole('radio', { name: 'Corbeille' }).check();
  await expect.poll(() => acts(page).getByRole('listitem').count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?genre=suppressions');
  await row(page, DELETED).getByText('bob, ').waitFor();
  expect(await accessibilityFaults(page, '/modifications: deletions')).toEqual([]);

  await page.getByRole('link', { name: DELETED }).click();
  await page.getByRole('heading', { name: DELETED, level: 1 }).waitFor();
  for (const text of ['978-2-07-040850-4', 'Roman', 'J. M. G. Le Clézio', 'Sophie'])
    await page.getByRole('definition').filter({ hasText: text }).waitFor();
  expect(await accessibilityFaults(page, '/modifications/[id]: a deletion')).toEqual([]);
  await page.getByRole('button', { name: 'Rétablir' }).click();
  await page.getByRole('button', { name: 'Refaire' }).waitFor();
  await page.getByRole('link', { name: 'annulée par alice' }).waitFor();

  await page.getByRole('main').getByRole('link', { name: 'Désert', exact: true }).click();
  await page.getByRole('radio', { name: 'En cours' }).waitFor();
  expect(await page.getByRole('radio', { name: 'En cours' }).isChecked()).toBe(true);
  await page.getByRole('link', { name: 'Romans' }).waitFor();
  const statuts = await ask(house, 'bob', 'GET', `/api/livres/${String(livre.id)}`);
  expect(await statuts.json()).toMatchObject({ statut: 2 });

  await ask(house, 'bob', 'PUT', `/api/livres/${String(livre.id)}`, {
    ...livre,
    titre: 'Le Désert',
    format: 'Numerique',
  });
  await page.getByRole('heading', { name: 'Le Désert' }).waitFor();
  await page.getByText('Historique').click();
  const edited = page
    .getByRole('list', { name: 'Historique' })
    .getByRole('listitem')
    .filter({ hasText: 'Livre modifié' });
  await edited.getByText('bob, ').waitFor();
  expect(await edited.getByRole('definition').allInnerTexts()).toEqual([
    expect.stringMatching(/^Désert\s+devient\s+Le Désert$/) as string,
    expect.stringMatching(/^Papier\s+devient\s+Numérique$/) as string,
  ]);
  expect(await accessibilityFaults(page, '/modifications/[id]: an edit')).toEqual([]);
});

test('acts read offline say why they cannot be restored', async () => {
  const house = await household();
  const livre = await fullLivre(house);
  await ask(house, 'alice', 'DELETE', `/api/livres/${String(livre.id)}`);
  const phone = await device(house);
  const page = await openActs(phone);
  // Without the service worker, only visited screens are available offline, for any modification.
  await page.getByRole('link', { name: 'Rendu par Sophie\u00a0: Désert' }).click();
  await page.getByRole('heading', { name: 'Rendu par Sophie\u00a0: Désert', level: 1 }).waitFor();
  await page.goBack();
  await phone.cutNetwork();
  await page.getByRole('radio', { name: 'Corbeille' }).check();
  const button = row(page, DELETED).getByRole('button', { name: 'Rétablir' });
  await expect.poll(() => button.isDisabled()).toBe(true);
  const reason = (await button.getAttribute('aria-describedby'))?.split(' ').at(-1) ?? '';
  expect(await page.locator(`[id="${reason}"]`).innerText()).toMatch(/enregistrer|réseau|ligne/i);
  await page.getByRole('link', { name: DELETED }).click();
  await page.getByRole('definition').filter({ hasText: 'Sophie' }).waitFor();
});

test('modifications can be filtered by kind or by person', async () => {
  const house = await household();
  const livre = await fullLivre(house);
  const lot = { ids: [livre.id], action: 'preter', emprunteur: 'Luc' };
  await ask(house, 'bob', 'POST', '/api/livres/lot', lot);
  const corrected = { emprunteur: 'Luc', datePret: '2024-01-02T12:00:00.000Z' };
  await ask(house, 'bob', 'PUT', '/api/prets/2', corrected);
  const { headers } = await ask(house, 'bob', 'POST', '/api/prets/2/retour');
  await ask(
    house,
    'alice',
    'POST',
    `/api/modifications/${String(headers.get('X-Modification'))}/annulation`,
  );
  await ask(house, 'bob', 'POST', '/api/livres', { titre: 'Onitsha', format: 'Physique' });
  const page = await openActs(await device(house));
  await row(page, 'Marqué en cours\u00a0: Désert').waitFor();
  expect(await row(page, 'Marqué comme lu\u00a0: Désert').count()).toBe(0);
  const sentences = () => acts(page).getByRole('link').allInnerTexts();
  const kind = page.getByLabel('Action');
  const lent = [
    'Rendu par Luc\u00a0: Désert',
    'Prêt corrigé\u00a0: Désert',
    '1 livre prêté à Luc',
    'Rendu par Sophie\u00a0: Désert',
    'Prêté à Sophie\u00a0: Désert',
  ];
  const expected = [
    [
      'Ajouts',
      ['Livre ajouté\u00a0: Onitsha', 'Série ajoutée\u00a0: Romans', 'Livre ajouté\u00a0: Désert'],
    ],
    ['Changements', []],
    ['Prêts et retours', lent],
    ['Lectures', ['Marqué en cours\u00a0: Désert']],
    ['Annulations', ['Le retour de «\u00a0Désert\u00a0» est annulé.']],
  ] as const;
  for (const [label, lines] of expected) {
    await kind.selectOption(label);
    await expect.poll(sentences).toEqual(lines);
  }
  await kind.selectOption('Prêts et retours');
  // A loan is attributed to nobody.
  await page.getByLabel('Personne').selectOption('bob');
  await expect.poll(sentences).toEqual([]);
  expect(await accessibilityFaults(page, '/modifications: none found')).toEqual([]);
  await page.goBack();
  await expect.poll(sentences).toEqual(lent);
  await kind.selectOption('Toute action');
  await page.getByLabel('Personne').selectOption('bob');
  await expect.poll(sentences).toEqual(['Livre ajouté\u00a0: Onitsha']);
});

test('an undone modification names who undid it, and can be redone', async () => {
  const house = await household();
  const entry = { titre: 'Désert', format: 'Physique' };
  const livre = (await (await ask(house, 'alice', 'POST', '/api/livres', entry)).json()) as Livre;
  const page = await openActs(await device(house));
  const added = row(page, 'Livre ajouté\u00a0: Désert');
  await added.getByRole('button', { name: 'Annuler' }).click();
  await added.getByText('annulée par alice').waitFor();
  expect(await house.titres()).toEqual([]);
  await added.getByRole('button', { name: 'Refaire' }).click();
  await added.getByRole('button', { name: 'Annuler' }).waitFor();
  expect(await house.titres()).toEqual(['Désert']);
  // The press must not undo the modification that is inserted above while the mouse is down.
  const cancel = added.getByRole('button', { name: 'Annuler' });
  // A disabled button would not take the focus.
  await expect.poll(() => cancel.isEnabled()).toBe(true);
  await cancel.hover();
  await page.mouse.down();
  await house.preter(livre, 'Luc');
  await row(page, 'Prêté à Luc\u00a0: Désert').waitFor();
  const isFocused = (button: Element) => button === document.activeElement;
  expect(await cancel.evaluate(isFocused)).toBe(true);
  await page.mouse.up();
  await cancel.click();
  await page.getByRole('alert').filter({ hasText: 'Le livre est prêté à Luc.' }).waitFor();
  expect(await house.lentTitres()).toEqual(['Désert']);
  await page.getByText('À annuler aussi').waitFor();
  await page.getByRole('button', { name: 'Tout annuler' }).click();
  await added.getByText('annulée par alice').waitFor();
  expect(await house.titres()).toEqual([]);

  const response = await fetch(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { SSO_USER: 'alice', 'content-type': 'text/csv' },
    body: goodreads({ Title: 'Ubik', Author: 'Philip K. Dick' }),
  });
  expect(response.status).toBe(201);
  const link = row(page, 'Import\u00a0: 1 livre').getByRole('link', { name: 'Voir l’import' });
  await link.click();
  await page.getByRole('button', { name: 'Annuler cet import' }).waitFor();
});

test('a sitting of mixed acts is one line that unfolds, and a search finds its acts', async () => {
  const house = await household();
  const livres = [];
  for (const titre of ['Un', 'Deux', 'Trois', 'Quatre', 'Cinq', 'Six'])
    livres.push(await house.ajouter({ titre }));
  for (const livre of livres) await house.preter(livre, 'Luc');
  const page = await (await device(house)).open('/modifications');
  const sitting = acts(page).getByRole('listitem');
  await sitting.getByText('Prêts et retours : 6, Ajouts : 6').waitFor();
  expect(await sitting.count()).toBe(1);
  await sitting.getByText('Six, Cinq et 4 autres').waitFor();
  await sitting.getByRole('button', { name: 'Tout voir' }).click();
  await acts(page).getByText('Prêts et retours : 6', { exact: true }).waitFor();
  await acts(page).getByText('6 livres ajoutés', { exact: true }).waitFor();
  expect(await acts(page).getByRole('listitem').count()).toBe(2);
  await page.reload();
  await sitting.getByText('Prêts et retours : 6, Ajouts : 6').waitFor();
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('quatre');
  await row(page, 'Livre ajouté\u00a0: Quatre').waitFor();
  expect(await acts(page).getByRole('listitem').count()).toBe(2);
});
