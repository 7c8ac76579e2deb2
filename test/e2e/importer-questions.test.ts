import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { household, type Household } from './support/household.ts';
import { importButton, importedCount, openFold } from './support/importer.ts';

async function check(page: Page, text: string): Promise<void> {
  await page
    .getByLabel('Fichier', { exact: true })
    .setInputFiles({ name: 'liste.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Vérifier', exact: true }).click();
}

async function importAll(page: Page): Promise<void> {
  await importButton(page).click();
  await page.getByRole('heading', { name: 'Import terminé' }).waitFor();
}

const livresOf = async ({ url }: Household): Promise<Livre[]> =>
  (await (await fetch(`${url}/api/livres`)).json()) as Livre[];

const FILE = [
  'Titre;Statut;Lu le;Emplacement',
  'Aa;à lire;;House / Office / Shelf',
  'Bb;lu;3/4/2021;House / Office / Shelf',
  'Cc;lu;5/6/2021;Grenier',
].join('\n');

test('a file’s questions are answered by the keyboard, and the answers apply to the books', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open('/importer');
  await check(page, FILE);
  await importedCount(page, '2 livres');
  const days = page.getByRole('group', { name: '2 dates se lisent de deux façons' });
  await days.getByRole('radio', { name: '3 avril 2021' }).focus();
  await page.keyboard.press('ArrowRight');
  const march = days.getByRole('radio', { name: '4 mars 2021' });
  // The file is read again, and the focus stays.
  await page.waitForURL(/importation=2$/);
  expect(await march.isChecked()).toBe(true);
  expect(await march.evaluate((radio) => radio === document.activeElement)).toBe(true);
  const path = page.getByRole('group', { name: '2 livres ont un emplacement à barres' });
  await path.getByRole('radio', { name: 'House › Office › Shelf' }).check();
  const toRead = page.getByRole('group', { name: /^1 livre est/ });
  await toRead.getByRole('radio', { name: 'Ils sont à nous' }).check();
  await importedCount(page, '3 livres');
  // Earlier answers stay.
  expect(await path.getByRole('radio', { name: 'House › Office › Shelf' }).isChecked()).toBe(true);
  expect(await accessibilityFaults(page, '/importer: questions')).toEqual([]);
  await page.reload();
  await importedCount(page, '3 livres');
  expect(await march.isChecked()).toBe(true);
  await path.getByRole('radio', { name: 'House › Office › Shelf' }).check();
  await importAll(page);
  const ends = (await house.lectures('alice')).map(({ fin }) => fin).sort();
  expect(ends).toEqual(['2021-03-04', '2021-05-06']);
  const places = (await (await fetch(`${house.url}/api/emplacements`)).json()) as { nom: string }[];
  expect(places.map(({ nom }) => nom).sort()).toEqual(['Grenier', 'House', 'Office', 'Shelf']);
  await page.getByRole('button', { name: 'Annuler cet import' }).click();
  await page.getByText('3 livres retirés.').waitFor();
  expect(await (await fetch(`${house.url}/api/emplacements`)).json()).toEqual([]);
});

test('without a network a question waits with its reason, and its answer stays', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open('/importer');
  await check(page, FILE);
  await importedCount(page, '2 livres');
  await phone.cutNetwork();
  const days = page.getByRole('group', { name: '2 dates se lisent de deux façons' });
  await expect.poll(() => days.getAttribute('aria-disabled')).toBe('true');
  expect(await days.getByRole('radio', { name: '3 avril 2021' }).isChecked()).toBe(true);
  await phone.restoreNetwork();
  await expect.poll(() => days.getAttribute('aria-disabled')).toBeNull();
  await days.getByRole('radio', { name: '4 mars 2021' }).check();
  await page.waitForURL(/importation=2$/);
});

test('a person sets one state and one shelf for all books', async () => {
  const house = await household();
  const page = await (await device(house)).open('/importer');
  await check(page, 'Titre;Auteur\nAa;Ana Li\nBb;Ana Li\n');
  const fold = await openFold(page, 'Pour tous les livres');
  await fold.getByRole('radio', { name: 'Lu', exact: true }).check();
  await fold.getByRole('combobox').fill('Salon › Étagère 2');
  await page.keyboard.press('Escape');
  await fold.getByText('Lu, Salon › Étagère 2').waitFor();
  await importAll(page);
  expect(await livresOf(house)).toMatchObject([{ statut: null }, { statut: null }]);
  const asAlice = await fetch(`${house.url}/api/livres`, { headers: { SSO_USER: 'alice' } });
  expect(await asAlice.json()).toMatchObject([{ statut: 2 }, { statut: 2 }]);
  const places = (await (await fetch(`${house.url}/api/emplacements`)).json()) as { nom: string }[];
  expect(places.map(({ nom }) => nom).sort()).toEqual(['Salon', 'Étagère 2']);
});

test('the first line of a table without a header is a book once it is ticked', async () => {
  const house = await household();
  const page = await (await device(house)).open('/importer');
  await check(page, 'Le Petit Quai;Ana Li\nRegain;Jean Giono\n');
  await page.getByRole('heading', { name: 'Colonnes du tableau' }).waitFor();
  await page.getByLabel('Titre', { exact: true }).selectOption('Le Petit Quai');
  await page.getByLabel('Auteurs', { exact: true }).selectOption('Ana Li');
  await page.getByRole('checkbox', { name: /^La première ligne est un livre/ }).check();
  expect(await accessibilityFaults(page, '/importer: a first line')).toEqual([]);
  await page.getByRole('button', { name: 'Relire le fichier' }).click();
  await importedCount(page, '2 livres');
  await importAll(page);
  expect(await house.titres()).toEqual(['Le Petit Quai', 'Regain']);
});

test('on a desk the rows are beside the questions, and their choice changes the button’s text', async () => {
  const house = await household();
  const page = await (await device(house, { size: 'desk' })).open('/importer');
  await check(page, 'Titre;Auteur\nAa;Ana Li\nBb;Ana Li\n');
  await importedCount(page, '2 livres');
  await page.getByRole('button', { name: 'Ignorer Aa' }).click();
  await page.getByRole('button', { name: 'Importer 1 livre', exact: true }).waitFor();
  expect(await accessibilityFaults(page, '/importer: rows beside')).toEqual([]);
  await importAll(page);
  expect(await house.titres()).toEqual(['Bb']);
});

test('the list of recent imports counts created wishes, too', async () => {
  const page = await (await device(await household())).open('/importer');
  await check(page, FILE);
  await importedCount(page, '2 livres');
  await importAll(page);
  await page.getByRole('button', { name: 'Fermer', exact: true }).click();
  await page
    .getByRole('list', { name: 'Imports récents' })
    .getByText(/ · 2 nouveaux · 1 souhait$/)
    .waitFor();
});
