import { utimesSync } from 'node:fs';
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { makeBackup } from '#server/plumbing/database/backup/backup';
import { makeHousehold } from '../backup/support.ts';
import { ajouterSerie } from './support/collections.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const ground = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
const textSize = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).fontSize);

const openRow = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name }).click();
const leaveSheet = (page: Page) => page.getByRole('button', { name: 'Fermer' }).click();

const PAPER = { light: 'rgb(248, 244, 236)', dark: 'rgb(23, 21, 18)' };

test('settings of a device stay until they are given up', async () => {
  const page = await (await device(await household())).open('/reglages');
  for (const name of ['Diagnostic', 'À propos']) {
    await page.getByRole('main').getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Réglages' }).click();
    await page.getByRole('heading', { level: 1, name: 'Réglages' }).waitFor();
  }

  await openRow(page, 'Thème');
  expect(await accessibilityFaults(page, '/reglages: the theme')).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => ground(page)).toBe(PAPER.dark);
  await page.getByRole('radio', { name: 'Clair' }).check();
  await expect.poll(() => ground(page)).toBe(PAPER.light);
  await page.getByRole('radio', { name: 'Comme l’appareil' }).check();
  await expect.poll(() => ground(page)).toBe(PAPER.dark);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => ground(page)).toBe(PAPER.light);

  await page.getByRole('radio', { name: 'Sombre' }).check();
  await expect.poll(() => ground(page)).toBe(PAPER.dark);
  await leaveSheet(page);
  await openRow(page, 'Taille du texte');
  await page.getByRole('radio', { name: 'Très grande' }).check();
  await expect.poll(() => textSize(page)).toBe('20.8px');
  await page.reload();
  await page.getByRole('button', { name: 'Thème Sombre' }).waitFor();
  await expect.poll(() => ground(page)).toBe(PAPER.dark);
  await expect.poll(() => textSize(page)).toBe('20.8px');
  await openRow(page, 'Thème');
  await page.getByRole('radio', { name: 'Clair' }).check();
  await expect.poll(() => ground(page)).toBe(PAPER.light);
});

test('the settings say when the last backup was made', async () => {
  const { path, backups } = makeHousehold();
  const backup = await makeBackup(path, backups);
  const made = new Date('2026-03-03T12:00:00.000Z');
  utimesSync(backup.path, made, made);
  const house = await household({ DATABASE_PATH: path, BACKUP_PATH: backups });
  const page = await (await device(house)).open('/reglages');
  await page.getByRole('button', { name: /^Sauvegardes.*3 mars/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Sauvegardes' });
  await dialog.getByText(/^Automatique chaque nuit/).waitFor();
  await dialog.getByText(/^La dernière\s: .+, vérifiée\.$/).waitFor();
});

test('without accounts the settings explain who manages members', async () => {
  const page = await (await device(await household())).open('/reglages/membres');
  await page.getByRole('heading', { name: 'Pas de comptes ici' }).waitFor();
  expect(await page.getByRole('status', { name: /Chargement/ }).count()).toBe(0);
});

test('titles of lists grow with the text', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open();
  await page.setViewportSize({ width: 360, height: 740 });
  const size = () =>
    page
      .getByRole('link', { name: 'Désert' })
      .evaluate((link) => Number.parseFloat(getComputedStyle(link).fontSize));
  const usual = await size();
  await follow(page, '/reglages');
  await openRow(page, 'Taille du texte');
  await page.getByRole('radio', { name: 'Très grande' }).check();
  await leaveSheet(page);
  await follow(page, '/');
  expect((await size()) / usual).toBeCloseTo(1.3);
});

test('the keys of one letter can be turned off', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house, { size: 'desk' })).open('/reglages');
  await openRow(page, 'Raccourcis du clavier');
  const keys = page.getByRole('group', { name: 'Raccourcis du clavier' });
  await keys.getByRole('radio', { name: 'Sans raccourcis d’une touche' }).check();
  await leaveSheet(page);
  await follow(page, `/livres/${id}`);
  await page.getByRole('heading', { name: 'Désert' }).waitFor();
  for (const key of ['e', 'n', '/', '?', 'p']) await page.keyboard.press(key);
  expect(new URL(page.url()).pathname).toBe(`/livres/${id}`);
  expect(await page.getByRole('dialog').count()).toBe(0);
  await follow(page, '/reglages');
  await openRow(page, 'Raccourcis du clavier');
  await keys.getByRole('radio', { name: 'Raccourcis d’une touche', exact: true }).check();
  await leaveSheet(page);
  const serie = await ajouterSerie(house, { titre: 'Les déserts', places: [] });
  await follow(page, `/series/${serie.id}`);
  await page.getByRole('heading', { name: 'Les déserts' }).waitFor();
  await page.keyboard.press('e');
  await page.getByRole('heading', { name: 'Modifier' }).waitFor();
});

test('the library’s name is the household’s on every device', async () => {
  const house = await household();
  const page = await (await device(house, { size: 'desk' })).open('/reglages');
  const brand = (shown: Page, name: string) => shown.getByRole('link', { name, exact: true });
  await brand(page, 'Rayonnage').waitFor();
  await openRow(page, 'Nom de la bibliothèque');
  await page.getByRole('textbox', { name: 'Nom de la bibliothèque' }).fill('Rue des Lilas');
  await page.getByRole('button', { name: 'Renommer la bibliothèque' }).click();
  // The bar does not move under the pointer, however long the other device takes.
  const annuler = page.getByRole('button', { name: /^Annuler/ });
  await annuler.hover();
  await brand(page, 'Rue des Lilas').waitFor();
  await expect.poll(() => page.title()).toBe('Réglages – Rue des Lilas');
  const other = await (await device(house, { user: 'bob', size: 'desk' })).open();
  await brand(other, 'Rue des Lilas').waitFor();
  await annuler.click();
  await brand(page, 'Rayonnage').waitFor();
});
