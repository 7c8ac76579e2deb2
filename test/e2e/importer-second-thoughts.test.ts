import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { babelio, goodreads } from '../importations/samples.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { feedback, expectFeedback } from './support/feedback.ts';
import { household, type Household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';
import { importButton, openFold } from './support/importer.ts';

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

const livresOf = async (house: Household): Promise<Livre[]> =>
  (await fetch(`${house.url}/api/livres`)).json() as Promise<Livre[]>;

async function check(house: Household, name: string, buffer: Buffer): Promise<Page> {
  const page = await (await device(house)).open('/importer');
  await page
    .getByLabel('Fichier', { exact: true })
    .setInputFiles({ name, mimeType: 'text/csv', buffer });
  await press(page, 'Vérifier');
  return page;
}

test('the order of authors’ names is asked once per file', async () => {
  const house = await household();
  const authors = ['Gustave Flaubert', 'Gustave Roud', 'Guy de Maupassant'];
  const rows = authors.map((nom, index) => ['', `Titre ${index}`, nom, '', '', '', 'Lu', '0']);
  const page = await check(house, 'mes-livres.csv', babelio(...rows).bytes);
  const question = page.getByRole('group', { name: '2 auteurs en deux mots' });
  await question.getByText('Dans le fichier\u00a0: Gustave Flaubert, Gustave Roud.').waitFor();
  const turned = question.getByLabel('Le nom d’abord');
  const left = question.getByLabel('Le prénom d’abord');
  await expect.poll(() => left.isChecked()).toBe(true);
  await openFold(page, 'Livre par livre');
  await page.getByText('Ligne 2 · Gustave Flaubert').waitFor();
  await turned.check();
  await page.getByText('Ligne 2 · Flaubert Gustave').waitFor();
  await left.check();
  expect(await accessibilityFaults(page, '/importer: names to turn round')).toEqual([]);
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  const livres = await livresOf(house);
  expect(livres.map(({ auteurs: [auteur] }) => auteur?.nom).sort()).toEqual(authors);
});

test('a series of a book found meanwhile is proposed', async () => {
  // The dry run is shown before the catalogues answer.
  const { house } = await householdWithCatalogues({ delayMs: 1500 });
  const page = await check(house, 'codes.csv', Buffer.from('ISBN;Série\n9782948012017;Suite\n'));
  await openFold(page, '0 série gardée sur 1 reconnue');
  const box = page.getByRole('checkbox', { name: 'Suite' });
  expect(await box.isChecked()).toBe(false);
  await box.check();
  await importButton(page).click();
  await page.getByText('1 série créée ou complétée').first().waitFor();
});

test('undoing an import keeps the books changed since', async () => {
  const house = await household();
  const file = goodreads(
    { 'Book Id': '1', Title: 'Colline', Author: 'Jean Giono' },
    { 'Book Id': '2', Title: 'Regain', Author: 'Jean Giono' },
  );
  const page = await check(house, 'giono.csv', Buffer.from(file));
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
  const ids = (await livresOf(house)).map(({ id }) => id);
  await fetch(`${house.url}/api/livres/lot`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids, action: 'typeDocument', typeDocument: 'Roman' }),
  });
  await press(page, 'Annuler cet import');
  await page.getByText('Aucun livre retiré : les 2 ont été modifiés depuis.').waitFor();
  await expectFeedback(page, 'Import annulé, aucun livre retiré');
  expect(await house.titres()).toEqual(['Colline', 'Regain']);
  await page.reload();
  await press(page, 'Retirer quand même');
  await expectFeedback(page, '2 livres retirés');
  expect(await house.titres()).toEqual([]);
  expect(await page.getByRole('button', { name: 'Retirer quand même' }).count()).toBe(0);
  await feedback(page).getByRole('button', { name: 'Annuler' }).click();
  await expect.poll(() => house.titres()).toEqual(['Colline', 'Regain']);
});

test('a chosen file takes the lack of one back', async () => {
  const page = await (await device(await household())).open('/importer');
  await page.getByRole('button', { name: 'Vérifier' }).click();
  const lack = page.getByText(/^Choisissez un fichier/).filter({ visible: true });
  await lack.waitFor();
  const file = { name: 'a.zip', mimeType: 'application/zip', buffer: Buffer.from('') };
  await page.locator('input[type=file]').setInputFiles(file);
  await lack.waitFor({ state: 'hidden' });
});

test('a refused file’s error goes with another choice', async () => {
  const house = await household();
  const page = await check(house, 'vide.csv', Buffer.from(''));
  const main = page.getByRole('main');
  const alert = main.getByRole('alert').filter({ visible: true });
  await alert.waitFor();
  const file = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('Titre\n') };
  await main.getByLabel('Fichier', { exact: true }).setInputFiles(file);
  await alert.waitFor({ state: 'hidden' });
});

test('columns that are to be named give way to another file, and the focus goes there', async () => {
  const house = await household();
  const page = await check(house, 'inventaire.csv', Buffer.from('Quoi;Qui\nRegain;Giono\n'));
  const reason = page.getByRole('alert').getByText('Ce fichier n’est pas reconnu');
  await reason.waitFor();
  expect(await page.getByLabel('Ou collez des ISBN').count()).toBe(0);
  await press(page, 'Fermer');
  await page.getByLabel('Ou collez des ISBN').waitFor();
  expect(await reason.count()).toBe(0);
  const field = page.getByLabel('Fichier', { exact: true });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
});
