import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import type { Livre } from '#shared/livres';
import { Refusal } from '#shared/refusals';
import {
  ajouterEmplacement,
  ajouterSerie,
  listerEmplacements,
  listerSeries,
} from './support/collections.ts';
import { insertPicture, hasCover, openCover, photo } from './support/covers.ts';
import { device, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { holdWrites } from './support/hold-writes.ts';
import { household, type Household } from './support/household.ts';
import { bar, houseOf, select } from './support/selection.ts';
import { importButton } from './support/importer.ts';

const button = (page: Page | Locator, name: string) =>
  page.getByRole('button', { name, exact: true });

/** Submits a text and types on before the response; `taken` is what the field accepted meanwhile. */
async function goOnWhileSent(phone: Device, path: RegExp, field: Locator, submit: Locator) {
  const text = await field.inputValue();
  const release = holdWrites(phone, path);
  // The list of suggestions may cover the button.
  await submit.press('Enter');
  await expect.poll(() => field.isEditable()).toBe(false);
  await field.focus();
  const keyboard = field.page().keyboard;
  await keyboard.type(' bleu');
  for (const key of ['ArrowDown', 'Enter', 'Enter']) await keyboard.press(key);
  const taken = await field.inputValue();
  return { release, taken: taken === text ? '' : taken };
}

/** The name of the book's location. */
async function standsIn(house: Household): Promise<string | undefined> {
  const [livre] = (await (await fetch(`${house.url}/api/livres`)).json()) as Livre[];
  const emplacements = await listerEmplacements(house);
  return emplacements.find(({ id }) => id === livre?.emplacementId)?.nom;
}

test('a small form takes nothing while it is sent', async () => {
  const house = await houseOf('Alcools');
  const phone = await device(house);
  const page = await phone.open('/rangement');
  await button(page, 'Ajouter une pièce').click();
  const added = page.getByLabel('Ajouter une pièce ou un meuble');
  await added.fill('Salon');
  await expect.poll(() => button(page, 'Ajouter').isEnabled()).toBe(true);
  const location = await goOnWhileSent(phone, /emplacements/, added, button(page, 'Ajouter'));
  location.release();
  await expect.poll(() => added.inputValue()).toBe('');
  expect(location.taken).toBe('');

  // Leaving the form by Escape reports that it was sent.
  await page.getByRole('main').getByRole('link', { name: 'Salon', exact: true }).click();
  await button(page, 'Ajouter dans Salon').click();
  const inside = page.getByRole('form', { name: 'Ajouter dans Salon' });
  const shelf = inside.getByRole('textbox');
  await shelf.fill('Étagère');
  const below = await goOnWhileSent(phone, /emplacements/, shelf, button(inside, 'Ajouter'));
  await shelf.press('Escape');
  await page.getByText(/^L’enregistrement était déjà parti/).waitFor();
  below.release();
  await page
    .getByText(/Étagère/)
    .first()
    .waitFor();
  expect(below.taken).toBe('');

  await follow(page, '/reglages');
  await page.getByRole('button', { name: 'Nom de la bibliothèque' }).click();
  const name = page.getByRole('textbox', { name: 'Nom de la bibliothèque' });
  await name.fill('Rue des Lilas');
  const rename = button(page, 'Renommer la bibliothèque');
  const named = await goOnWhileSent(phone, /bibliotheque/, name, rename);
  named.release();
  await expect.poll(() => page.title()).toBe('Réglages – Rue des Lilas');
  expect(named.taken).toBe('');
  await rename.waitFor({ state: 'detached' });

  // For a selection, a new location is created before the books are put there.
  await follow(page, '/');
  await select(page, 'Alcools');
  await button(bar(page), 'Rangement').click();
  const where = bar(page).getByLabel('Où ?');
  await where.fill('Sal');
  const put = await goOnWhileSent(phone, /emplacements/, where, button(bar(page), 'Enregistrer'));
  await button(bar(page), 'Retirer l’emplacement').click({ force: true });
  put.release();
  await bar(page).waitFor({ state: 'detached' });
  expect(put.taken).toBe('');
  expect(await standsIn(house)).toBe('Sal');
  expect((await listerEmplacements(house)).map(({ nom }) => nom).sort()).toEqual([
    'Sal',
    'Salon',
    'Étagère',
  ]);
});

test('a book’s questions take nothing while they are sent', async () => {
  const house = await houseOf('Alcools');
  await ajouterEmplacement(house, { nom: 'Salon' });
  const phone = await device(house);
  const page = await phone.open('/');
  await page.getByRole('link', { name: 'Alcools' }).click();
  const main = page.getByRole('main');
  await button(main, 'Choisir l’emplacement').click();
  const where = page.getByRole('combobox', { name: 'Où ?' });
  await where.fill('Cave');
  const form = main.locator('form').filter({ has: where });
  const put = await goOnWhileSent(phone, /emplacements/, where, button(form, 'Enregistrer'));
  put.release();
  await where.waitFor({ state: 'detached' });
  expect(put.taken).toBe('');
  expect(await standsIn(house)).toBe('Cave');

  // The first Escape closes the list of suggestions.
  await button(main, 'Changer').click();
  for (const key of ['Escape', 'Escape']) await where.press(key);
  await main.locator('button:focus', { hasText: 'Changer' }).waitFor();
});

test('a question about a series holds the form meanwhile', async () => {
  const house = await household();
  const cycle = await ajouterSerie(house, { titre: 'Robots et empires' });
  await ajouterSerie(house, { titre: 'Fondation' });
  const phone = await device(house);
  const page = await phone.open(`/series/ajouter?dans=${String(cycle.id)}`);
  const titre = page.getByLabel('Titre', { exact: true });
  await titre.fill('Fondation');
  const move = button(page, 'La mettre dans ce cycle');
  await expect.poll(() => move.isEnabled()).toBe(true);
  const { release, taken } = await goOnWhileSent(phone, /^\/api\/series/, titre, move);
  expect(taken).toBe('');
  await button(page, 'Créer quand même').click({ force: true });
  await button(page, 'Enregistrer').click({ force: true });
  await move.waitFor();
  release();
  await page.waitForURL(`**/series/${String(cycle.id)}`);
  expect((await listerSeries(house)).map(({ titre: each, parentId }) => [each, parentId])).toEqual([
    ['Fondation', cycle.id],
    ['Robots et empires', null],
  ]);
});

/** Uploads a picture of the shown book, and cancels during the request. */
async function giveUpPicture(page: Page): Promise<void> {
  await insertPicture(
    page.getByRole('group', { name: 'Couverture' }),
    'paste',
    await photo('#aa3322'),
  );
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  const dialog = page.getByRole('dialog', { name: 'Cadrer la couverture' });
  await dialog.getByRole('button', { name: 'Enregistrer', disabled: false }).click();
  await sent;
  await button(dialog, 'Annuler').click();
  await dialog.waitFor({ state: 'detached' });
}

test('another file is not chosen while one is read', async () => {
  const phone = await device(await household());
  const page = await phone.open('/importer');
  const isbns = page.getByRole('textbox');
  await isbns.fill('9782070408504');
  await expect.poll(() => button(page, 'Vérifier').isEnabled()).toBe(true);
  const read = await goOnWhileSent(phone, /importations/, isbns, button(page, 'Vérifier'));
  read.release();
  await importButton(page).waitFor();
  expect(read.taken).toBe('');

  await follow(page, '/');
  await follow(page, '/importer');
  const field = page.getByLabel('Fichier', { exact: true });
  const backup = Buffer.from('PK manifest.json');
  await field.setInputFiles({ name: 'a.zip', mimeType: '', buffer: backup });
  const release = holdWrites(phone, /restauration/);
  await button(page, 'Restaurer').press('Enter');
  const busyForm = page.locator('form[aria-busy=true]').filter({ has: field });
  await busyForm.waitFor();
  release();
  await busyForm.waitFor({ state: 'detached' });
});

test('cancelling an upload that was already sent is reported', async () => {
  const house = await houseOf('Alcools');
  const phone = await device(house);
  const page = await phone.open('/');
  await page.getByRole('link', { name: 'Alcools' }).click();
  await openCover(page);
  await expect.poll(() => button(page, 'Photographier la couverture').isEnabled()).toBe(true);
  const { status, message } = new Refusal('TRAVAIL_EN_COURS', { travail: 'import' });
  const json = { statusCode: status, code: 'TRAVAIL_EN_COURS', travail: 'import', message };
  await page.route('**/couverture', (route) => route.fulfill({ status, json }));
  await giveUpPicture(page);
  await page.getByText(/^Annulé à temps/).waitFor();
  await page.unroute('**/couverture');
  expect(await hasCover(page.getByRole('article'))).toBe(false);

  const release = holdWrites(phone, /\/couverture$/);
  await giveUpPicture(page);
  await page.getByText(/^L’enregistrement était déjà parti/).waitFor();
  release();
  await page.getByText('Couverture changée : Alcools').waitFor();
  await expect.poll(() => hasCover(page.getByRole('article'))).toBe(true);
});
