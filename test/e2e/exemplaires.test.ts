import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow, livreTitles } from './support/catalogue.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { startSelection } from './support/selection.ts';
import { expectDisabledOffline } from './support/offline.ts';
import { deskScanner } from './support/recherche.ts';

const ISBN = '9782070612758';
const main = (page: Page) => page.getByRole('main');

/** Two copies of one book: one in the living room, one lent to Luc. */
async function twoCopies() {
  const house = await household();
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const first = await house.ajouter({ titre: 'Nana', isbn: ISBN });
  const second = await house.ajouter({ titre: 'Nana', isbn: ISBN, editeur: 'Folio' });
  await rangerLivre(house, first.id, salon.id);
  await house.preter(second, 'Luc');
  await house.setStatut(second, 'alice', 2);
  return { house, first, second };
}

test.each(['phone', 'desk'] as const)(
  'two copies know each other, and become one record, on a %s',
  async (size) => {
    const { house, first, second } = await twoCopies();
    const page = await (await device(house, { size })).open(`/livres/${String(first.id)}`);
    await main(page).getByText('Un autre exemplaire').waitFor();
    await main(page).getByRole('link', { name: 'prêté à Luc', exact: true }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/livres/${String(second.id)}`));
    await main(page).getByRole('link', { name: 'Salon', exact: true }).waitFor();
    expect(await accessibilityFaults(page, '/livres/[id]: another copy')).toEqual([]);
    await page.getByRole('button', { name: /^Fusionner les fiches/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Deux fiches du même exemplaire' });
    await sheet.getByRole('radio', { name: /^Salon/ }).check();
    const preview = sheet.getByRole('region', { name: 'Fiche après fusion' });
    for (const text of ['Folio', 'Salon']) await preview.getByText(text).waitFor();
    await preview.getByText(/^Luc/).waitFor();
    expect(await accessibilityFaults(page, '/livres/[id]: joining two records')).toEqual([]);
    await sheet.getByRole('button', { name: 'Fusionner les fiches' }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/livres/${String(first.id)}`));
    await main(page).getByText('Prêté à Luc', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Lu', exact: true, checked: true }).waitFor();
    expect(await house.titres()).toEqual(['Nana']);
    await expectFeedback(page, /^Fiches fusionnées\s: Nana/);
    await undo(page);
    await main(page).getByText('Un autre exemplaire').waitFor();
    expect(await house.titres()).toEqual(['Nana', 'Nana']);
  },
);

test('offline two records cannot be merged, with a reason', async () => {
  const { house, first } = await twoCopies();
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(`/livres/${String(first.id)}`);
  await main(page).getByText('Un autre exemplaire').waitFor();
  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await expectDisabledOffline(page, ['Fusionner les fiches : prêté à Luc']);
});

test('a list can show copies as one row, but shows each during a selection', async () => {
  const { house } = await twoCopies();
  await house.ajouter({ titre: 'Zadig' });
  const page = await (await device(house)).open();
  await livreRow(page, 'Zadig').waitFor();
  expect(await livreTitles(page)).toEqual(['Nana', 'Nana', 'Zadig']);
  await page.getByRole('button', { name: /, tri et affichage$/ }).click();
  await page.getByRole('checkbox', { name: 'Regrouper les exemplaires' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Fermer' }).click();
  await main(page).getByText('2 exemplaires').waitFor();
  expect(await livreTitles(page)).toEqual(['Nana', 'Zadig']);
  await page.reload();
  await main(page).getByText('2 exemplaires').waitFor();
  await startSelection(page);
  await page.getByRole('checkbox', { name: 'Nana' }).nth(1).waitFor();
});

test('a second copy that is scanned is added by one press', async () => {
  const { house } = await twoCopies();
  const page = await (
    await device(house, { size: 'desk' })
  ).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  await scan(ISBN);
  await main(page).getByText('Un autre exemplaire ?').waitFor();
  await page.getByRole('button', { name: /^Ajouter un autre exemplaire/ }).click();
  await page.getByText('1 livre cette fois', { exact: true }).waitFor();
  expect(await house.titres()).toEqual(['Nana', 'Nana', 'Nana']);
});

test('lending takes the copy that is at home', async () => {
  const { house, first } = await twoCopies();
  const page = await (await device(house, { size: 'desk' })).open('/prets');
  // Wait for both copies to be replicated.
  await page.getByRole('link', { name: 'Nana' }).waitFor();
  await follow(page, '/prets?preter');
  await page.getByLabel('Emprunteur').fill('Zoé');
  await page.getByLabel('ISBN ou titre').fill(ISBN);
  await page.getByLabel('ISBN ou titre').press('Enter');
  await main(page).getByText('prêté à Zoé').waitFor();
  const { pret } = (await (await fetch(`${house.url}/api/livres/${String(first.id)}`)).json()) as {
    pret: { emprunteur: string };
  };
  expect(pret.emprunteur).toBe('Zoé');
});
