import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { addField, searchForBook, unfold } from './support/add.ts';
import { resize } from './support/accessibility.ts';
import { device, SIZES } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { syncedAt } from './support/stored-data.ts';
import { householdWithCatalogues, scanByKeyboard } from './support/recherche.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

const expectText = async (page: Page, label: string, text: string) => {
  await expect.poll(() => field(page, label).inputValue()).toBe(text);
};

/** Waits for stored drafts: the device stores one once it knows the reader. */
const untilKept = (page: Page, count = 1) =>
  page.waitForFunction(
    (drafts) =>
      Object.keys(localStorage).filter((key) => key.startsWith('rayonnage.draft|')).length >=
      drafts,
    count,
  );

/** Leaves a form for the catalogue; opening the form again creates it anew. */
async function goHome(page: Page): Promise<void> {
  await follow(page, '/');
  await page.getByText('Les rayons sont vides').waitFor();
}

test('a half-filled book survives a closed tab', async () => {
  const phone = await device(await household());
  const first = await phone.open('/livres/ajouter');
  await unfold(first);
  await field(first, 'Titre').fill('Désert');
  await field(first, 'Auteurs').fill('J. M. G. Le Clézio;');
  await untilKept(first);
  await follow(first, '/auteurs');
  await first.getByRole('heading', { name: 'Auteurs', exact: true }).waitFor();
  await first.goBack();
  await first.getByText('Brouillon repris').waitFor();
  await expectText(first, 'Titre', 'Désert');
  await first.getByRole('button', { name: 'Retirer J. M. G. Le Clézio' }).waitFor();
  await first.close();

  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await expectText(page, 'Titre', 'Désert');
  phone.portal.user = 'bruno';
  await page.reload();
  await addField(page).waitFor();
  await expect.poll(() => page.getByText('Brouillon repris').count()).toBe(0);
  await unfold(page);
  await expectText(page, 'Titre', '');
  phone.portal.user = 'alice';
  await page.reload();
  await page.getByText('Brouillon repris').waitFor();
  await expectText(page, 'Titre', 'Désert');

  const expectEmptyForm = async (why: string) => {
    await follow(page, '/livres/ajouter');
    await unfold(page);
    await field(page, 'Titre').waitFor();
    expect(await field(page, 'Titre').inputValue(), why).toBe('');
  };
  await page.getByRole('button', { name: 'Effacer' }).click();
  await page.getByText('Brouillon repris').waitFor({ state: 'detached' });
  expect(await addField(page).inputValue()).toBe('');
  await goHome(page);
  await expectEmptyForm('« Effacer »');

  // Text typed by a reader stays after closing; text filled in by a catalogue does not.
  await field(page, 'Titre').fill('Fondation');
  await page.getByRole('button', { name: 'Fermer' }).click();
  await page.getByText('Les rayons sont vides').waitFor();
  await follow(page, '/livres/ajouter');
  await page.getByText('Brouillon repris').waitFor();
  await expectText(page, 'Titre', 'Fondation');
  await page.getByRole('button', { name: 'Effacer' }).click();
  await goHome(page);
  await expectEmptyForm('« Effacer », again');

  await field(page, 'Titre').fill('Ulysse');
  await untilKept(page);
  await page.evaluate(() => {
    for (const [key, text] of Object.entries(localStorage))
      if (key.startsWith('rayonnage.draft|'))
        localStorage.setItem(key, String(text).replace(/"date":\d+/, '"date":0'));
  });
  await goHome(page);
  await expectEmptyForm('a week');
});

test('two tabs of one form lose no draft', async () => {
  const phone = await device(await household());
  const tabs = [await phone.open('/livres/ajouter'), await phone.open('/livres/ajouter')] as const;
  for (const [index, titre] of ['Désert', 'Ulysse'].entries()) {
    const tab = tabs[index === 0 ? 0 : 1];
    await tab.bringToFront();
    await unfold(tab);
    await expect
      .poll(() => tab.getByRole('button', { name: 'Ajouter', exact: true }).isEnabled())
      .toBe(true);
    await field(tab, 'Titre').fill(titre);
    await untilKept(tab, index + 1);
  }
  // Clearing or saving one tab's draft leaves the other's.
  await field(tabs[1], 'Titre').fill('');
  await field(tabs[1], 'Titre').fill('Ulysse');
  for (const tab of tabs) await tab.close();

  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  await page.getByText('Brouillon repris').waitFor();
  await expectText(page, 'Titre', 'Ulysse');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, 'Livre ajouté : Ulysse');
  await page.reload();
  await page.getByText('Brouillon repris').waitFor();
  await expectText(page, 'Titre', 'Désert');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, 'Livre ajouté : Désert');
  await page.reload();
  await unfold(page);
  await expectText(page, 'Titre', '');
  expect(await page.getByText('Brouillon repris').count()).toBe(0);
});

test('a draft shown by two tabs is restored once', async () => {
  const phone = await device(await household());
  const first = await phone.open('/livres/ajouter');
  await unfold(first);
  await field(first, 'Titre').fill('Désert');
  await untilKept(first);
  const second = await phone.open('/livres/ajouter');
  await unfold(second);
  await second.getByText('Brouillon repris').waitFor();
  await first.bringToFront();
  await field(first, 'Titre').fill('Désert, tome 2');
  await expect
    .poll(() => first.getByRole('button', { name: 'Ajouter', exact: true }).isEnabled())
    .toBe(true);
  await first.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(first, 'Livre ajouté : Désert, tome 2');
  await second.reload();
  await unfold(second);
  await expectText(second, 'Titre', '');
  expect(await second.getByText('Brouillon repris').count()).toBe(0);
});

test('forms of wishes, series and periodicals have drafts', async () => {
  const page = await (await device(await household())).open();
  const paths = [
    '/souhaits/ajouter',
    '/souhaits/ajouter?genre=revue',
    '/series/ajouter',
    '/revues/ajouter',
  ];
  for (const [index, path] of paths.entries()) {
    await follow(page, path);
    if (path === '/souhaits/ajouter') await unfold(page);
    await field(page, 'Titre')
      .first()
      .fill(`Le Rivage ${String(index)}`);
    await untilKept(page, index + 1);
    await goHome(page);
  }
  await page.reload();
  for (const [index, path] of paths.entries()) {
    await follow(page, path);
    await page.getByText('Brouillon repris').waitFor();
    expect(await field(page, 'Titre').first().inputValue(), path).toBe(
      `Le Rivage ${String(index)}`,
    );
    await goHome(page);
  }

  await resize(page, SIZES.desk);
  await follow(page, '/series');
  const add = page.getByRole('link', { name: 'Ajouter', exact: true });
  await add.click();
  await expectText(page, 'Titre', 'Le Rivage 2');
  await field(page, 'Titre').fill('Le Rivage');
  await page.keyboard.press('Escape');
  await page.getByText('Pas encore de séries').waitFor();
  await add.click();
  await page.getByText('Brouillon repris').waitFor();
  await expectText(page, 'Titre', 'Le Rivage');
});

test('an edit’s draft is restored on its own record', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const record = `/livres/${String(id)}`;
  const path = `${record}/modifier`;
  const page = await (await device(house)).open(path);
  await field(page, 'Éditeur').fill('Gallimard');
  await untilKept(page);
  await follow(page, record);
  await follow(page, path);
  await page.getByText('Brouillon repris').waitFor();
  await expectText(page, 'Éditeur', 'Gallimard');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('heading', { name: 'Désert', exact: true }).waitFor();
  await follow(page, path);
  await expectText(page, 'Éditeur', 'Gallimard');
  expect(await page.getByText('Brouillon repris').count()).toBe(0);

  await follow(page, '/souhaits/ajouter');
  await unfold(page);
  await field(page, 'Titre').fill('Le Rivage');
  await addField(page).fill('2070360024');
  await untilKept(page);
  await follow(page, '/');
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  await follow(page, '/souhaits/ajouter?isbn=9782253140870');
  await expectText(page, 'ISBN, titre ou auteur', '9782253140870');
  await expectText(page, 'Titre', '');
  await field(page, 'Titre').fill('L’Écume des jours');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, /^Souhait ajouté au rang 1/);
  // The saved draft is gone; the other form's is still there.
  await page.reload();
  await expectText(page, 'ISBN, titre ou auteur', '9782253140870');
  expect(await page.getByText('Brouillon repris').count()).toBe(0);
  await follow(page, '/');
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  await follow(page, '/souhaits/ajouter');
  await expectText(page, 'Titre', 'Le Rivage');
});

test('a resumed draft yields catalogue values to another code', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  const lookUp = async (code: string) => {
    const ask = page.getByRole('button', { name: "Rechercher l'ISBN", exact: true });
    await expect.poll(() => ask.isEnabled()).toBe(true);
    await searchForBook(page, code);
  };
  await lookUp('9782948012017');
  await expectText(page, 'Titre', 'Les travailleurs de la mer');
  await field(page, 'Éditeur').fill('Le mien');
  await untilKept(page);
  await page.reload();
  await page.getByText('Brouillon repris').waitFor();
  await unfold(page);
  await lookUp('9782948012161');
  await expectText(page, 'Titre', "Han d'Islande");
  expect(await field(page, 'Éditeur').inputValue()).toBe('Le mien');

  await lookUp('9782948012253');
  await page.getByText('Aucun catalogue ne connaît ce code.').first().waitFor();
  expect(await field(page, 'Titre').inputValue()).toBe('');

  await follow(page, '/souhaits/ajouter');
  await unfold(page);
  await lookUp('9782948012017');
  await expectText(page, 'Titre', 'Les travailleurs de la mer');
  await lookUp('9782948012253');
  await page.getByText('Aucun catalogue ne connaît ce code.').first().waitFor();
  await expectText(page, 'Titre', '');
});

test('a deleted book waits no more to be lent', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Ulysse' });
  const page = await (await device(house)).open('/prets');
  await page.getByRole('button', { name: 'Prêter des livres' }).click();
  const field = page.getByLabel('ISBN ou titre');
  await field.fill('uly');
  await page.getByRole('option', { name: /^Ulysse/ }).click();
  const lines = page.getByRole('list', { name: 'Livres prêtés' });
  await lines.getByText('en attente').waitFor();
  await page.getByRole('button', { name: /^Retirer «.Ulysse.»/ }).click();
  await lines.waitFor({ state: 'detached' });
  await field.fill('uly');
  await page.getByRole('option', { name: /^Ulysse/ }).click();
  await lines.getByText('en attente').waitFor();
  const before = await syncedAt(page);
  await fetch(`${house.url}/api/livres/${id}`, { method: 'DELETE' });
  await field.fill('');
  await field.fill('uly');
  await expect.poll(() => page.getByRole('option').count()).toBe(0);
  await expect.poll(() => syncedAt(page)).toBeGreaterThan(before);
  await page.reload();
  await page.getByLabel('Emprunteur').waitFor();
  await scanByKeyboard(page, '9782070360024');
  await expect.poll(() => lines.getByRole('listitem').count()).toBe(1);
});

test('a waiting return ends no later loan', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert', isbn: '9782070360024' });
  const other = await house.ajouter({ titre: 'Ulysse', isbn: '9782070408504' });
  const first = await house.preter(livre, 'Luc');
  await house.preter(other, 'Luc');
  const phone = await device(house);
  const page = await phone.open('/prets');
  const openReturns = () => page.getByRole('link', { name: 'Rendus' }).click();
  await openReturns();
  await page.getByRole('heading', { name: 'Livres rendus' }).waitFor();
  await phone.cutNetwork();
  await page.getByText('Hors ligne').first().waitFor();
  await scanByKeyboard(page, '9782070360024');
  const lines = page.getByRole('list', { name: 'Livres rendus' });
  await lines.getByText('en attente').waitFor();
  await page.getByRole('link', { name: 'Retour aux prêts' }).click();
  await house.rendre(first);
  await house.preter(livre, 'Paul');
  await phone.restoreNetwork();
  await page.getByText('Paul').first().waitFor();
  await openReturns();
  await page.getByRole('heading', { name: 'Livres rendus' }).waitFor();
  await scanByKeyboard(page, '9782070408504');
  await lines.getByText('rendu par Luc').waitFor();
  expect(await house.lentTitres()).toEqual(['Désert']);
});
