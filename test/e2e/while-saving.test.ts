import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import { Refusal } from '#shared/refusals';
import { unfold } from './support/add.ts';
import { insertPicture, hasCover, photo } from './support/covers.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { holdWrites } from './support/hold-writes.ts';
import { household } from './support/household.ts';
import { closeSheet, pressIn, souhaitRow } from './support/souhaits.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a form takes nothing while it is being saved', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Chéri', auteurs: ['Colette'] });
  const phone = await device(house);
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  const save = button(page, 'Ajouter');
  const titre = page.getByLabel('Titre', { exact: true });
  await expect.poll(() => save.isEnabled()).toBe(true);
  await titre.fill('Désert');
  await page.getByLabel('Auteurs').fill('J. M. G. Le Clézio;');
  const release = holdWrites(phone, /^\/api\/livres/);
  await save.click();
  await expect.poll(() => save.isDisabled()).toBe(true);
  await titre.focus();
  await page.keyboard.type('Onitsha');
  await page.keyboard.press('Backspace');
  expect(await titre.inputValue()).toBe('Désert');
  // A value chosen from the suggestions.
  await page.getByLabel('Auteurs').focus();
  for (const key of ['C', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  expect(await page.getByLabel('Auteurs').inputValue()).toBe('');
  const type = page.getByLabel('Type de document');
  await type.focus();
  await page.keyboard.press('ArrowDown');
  expect(await type.inputValue()).toBe('NonPrecise');
  await button(page, 'Retirer J. M. G. Le Clézio').click({ force: true });
  await insertPicture(page.locator(':focus'), 'paste', await photo('#aa3322'));
  await button(page, 'Retirer J. M. G. Le Clézio').waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  release();
  await expect.poll(() => titre.inputValue()).toBe('');
  const livres = (await (await fetch(`${house.url}/api/livres`)).json()) as object[];
  expect(livres.at(-1)).toMatchObject({
    titre: 'Désert',
    format: 'Physique',
    typeDocument: 'NonPrecise',
    auteurs: [{ nom: 'J. M. G. Le Clézio' }],
  });
  await titre.fill('Onitsha');
  await save.click();
  await expect.poll(() => house.titres()).toEqual(['Chéri', 'Désert', 'Onitsha']);
});

test('composed text does not enter a form being saved', async () => {
  const phone = await device(await household());
  const page = await phone.open('/livres/ajouter');
  await unfold(page);
  const save = button(page, 'Ajouter');
  const titre = page.getByLabel('Titre', { exact: true });
  await expect.poll(() => save.isEnabled()).toBe(true);
  await titre.fill('Désert');
  const release = holdWrites(phone, /^\/api\/livres/);
  await save.click();
  await expect.poll(() => titre.isEditable()).toBe(false);
  await titre.focus();
  const keyboard = await page.context().newCDPSession(page);
  const composed = { text: 'お', selectionStart: 1, selectionEnd: 1 };
  await keyboard.send('Input.imeSetComposition', composed);
  await keyboard.send('Input.insertText', { text: 'お' });
  expect(await titre.inputValue()).toBe('Désert');
  release();
  await expect.poll(() => titre.inputValue()).toBe('');
});

test('a person who leaves a form that is being saved is not brought back', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open(`/livres/${id}/modifier`);
  await page.getByLabel('Titre', { exact: true }).fill('Onitsha');
  const release = holdWrites(phone, /^\/api\/livres/);
  await button(page, 'Enregistrer').click();
  await button(page, 'Annuler').first().click();
  await page.getByText(/^L’enregistrement était déjà parti/).waitFor();
  await follow(page, '/prets');
  release();
  await expect.poll(() => house.titres()).toEqual(['Onitsha']);
  await page
    .getByText(/Onitsha/)
    .first()
    .waitFor();
  expect(new URL(page.url()).pathname).toBe('/prets');
  await follow(page, `/livres/${id}/modifier`);
  await expect.poll(() => page.getByLabel('Titre', { exact: true }).inputValue()).toBe('Onitsha');
  expect(await page.getByText('Brouillon repris').count()).toBe(0);
});

test('leaving by Escape reports that the form was already sent', async () => {
  const house = await household();
  const phone = await device(house);
  const page = await phone.open('/souhaits');
  await follow(page, '/souhaits/ajouter');
  await unfold(page);
  const save = button(page, 'Ajouter');
  await expect.poll(() => save.isEnabled()).toBe(true);
  await page.getByLabel('Titre', { exact: true }).fill('Désert');
  const release = holdWrites(phone, /^\/api\/souhaits/);
  await save.click();
  await expect.poll(() => save.isDisabled()).toBe(true);
  await page.getByLabel('Titre', { exact: true }).focus();
  await page.keyboard.press('Escape');
  await page.getByText(/^L’enregistrement était déjà parti/).waitFor();
  await page.waitForURL('**/souhaits');
  release();
  await page.getByRole('listitem').filter({ hasText: 'Désert' }).waitFor();
  await follow(page, '/souhaits/ajouter');
  await unfold(page);
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe('');
});

test('a request that waits for a long operation ends with its form', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${id}`);
  await follow(page, `/livres/${id}/modifier`);
  const { status, message } = new Refusal('TRAVAIL_EN_COURS', { travail: 'import' });
  const refusal = { statusCode: status, code: 'TRAVAIL_EN_COURS', travail: 'import', message };
  const asked: string[] = [];
  await page.route(`**/api/livres/${id}`, async (route) => {
    asked.push(route.request().method());
    if (route.request().method() !== 'PUT') return route.continue();
    return route.fulfill({ status, json: { error: 'Service Unavailable', ...refusal } });
  });
  await page.getByLabel('Titre', { exact: true }).fill('Onitsha');
  await button(page, 'Enregistrer').click();
  await expect.poll(() => asked).toContain('PUT');
  await page
    .getByText(/Un import est en cours/)
    .first()
    .waitFor();
  await button(page, 'Annuler').first().click();
  await page.getByText(/^Annulé à temps/).waitFor();
  // The form is still shown for a moment, where a link to the record would lead nowhere.
  await page.getByRole('heading', { level: 1, name: 'Désert', exact: true }).waitFor();
  await page.unroute(`**/api/livres/${id}`);
  await follow(page, `/livres/${id}/modifier`);
  await expect.poll(() => page.getByLabel('Titre', { exact: true }).inputValue()).toBe('Désert');
  expect(await page.getByText('Brouillon repris').count()).toBe(0);
  expect(await house.titres()).toEqual(['Désert']);
});

test('the last of two presses on the status holds', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house);
  const page = await phone.open(`/livres/${id}`);
  const radio = (name: string) =>
    page.getByRole('group', { name: 'Ma lecture' }).getByRole('radio', { name, exact: true });
  await expect.poll(() => radio('À lire').isEnabled()).toBe(true);
  const release = holdWrites(phone, /\/statut$/);
  await radio('À lire').check({ force: true });
  await radio('En cours').check({ force: true });
  await radio('Lu').check({ force: true });
  release();
  const statut = async () => {
    const asked = await fetch(`${house.url}/api/livres?statut=2`, {
      headers: { SSO_USER: 'alice' },
    });
    return ((await asked.json()) as object[]).length;
  };
  await expect.poll(statut).toBe(1);
  await expect.poll(() => radio('Lu').isChecked()).toBe(true);
});

test('a pasted picture goes to the form with the focus', async () => {
  const house = await household();
  for (const titre of ['Colline', 'Regain']) await house.souhaiter('alice', { titre });
  const page = await (await device(house, { size: 'desk' })).open('/souhaits');
  const wishes = ['Colline', 'Regain'].map((titre) => souhaitRow(page, titre));
  for (const [wish, covers] of [
    ['Regain', [false, true]],
    ['Colline', [true, true]],
  ] as const) {
    await pressIn(page, wish, 'Modifier');
    const titre = page.getByLabel('Titre', { exact: true });
    await titre.focus();
    await insertPicture(titre, 'paste', await photo('#226644'));
    await expect.poll(() => page.getByRole('dialog').count()).toBe(2);
    const crop = page.getByRole('dialog').last();
    await crop.getByRole('button', { name: 'Enregistrer' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
    await closeSheet(page);
    const seen = () => Promise.all(wishes.map((each) => hasCover(each)));
    await expect.poll(seen, { message: `into ${wish}` }).toEqual(covers);
  }
});
