import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

const expectText = (page: Page, label: string, text: string) =>
  expect.poll(() => field(page, label).inputValue()).toBe(text);

/** A draft has an owner: it is written as soon as the device knows who types. */
const untilKept = (page: Page, count = 1) =>
  page.waitForFunction(
    (drafts) =>
      Object.keys(localStorage).filter((key) => key.startsWith('rayonnage.draft|')).length >=
      drafts,
    count,
  );

/** Leaves a form for the catalogue, so that it is made anew when it is opened again. */
async function goHome(page: Page): Promise<void> {
  await follow(page, '/');
  await page.getByText('Les rayons sont vides').waitFor();
}

test('a half-filled book survives leaving its form, and can be cleared', async () => {
  const page = await (await device(await household())).open('/livres/ajouter');
  await field(page, 'Titre').fill('Désert');
  await field(page, 'Auteurs').fill('J. M. G. Le Clézio;');
  await untilKept(page);
  await page.getByRole('link', { name: 'Auteurs' }).first().click();
  await page.getByRole('heading', { name: 'Auteurs', exact: true }).waitFor();
  await page.goBack();
  await page.getByText('Brouillon repris').waitFor();
  await expectText(page, 'Titre', 'Désert');
  await page.getByRole('button', { name: 'Retirer J. M. G. Le Clézio' }).waitFor();
  await page.reload();
  await page.getByText('Brouillon repris').waitFor();
  await page.getByRole('button', { name: 'Effacer' }).click();
  await page.getByText('Brouillon repris').waitFor({ state: 'detached' });
  expect(await field(page, 'Titre').inputValue()).toBe('');
  await goHome(page);
  await follow(page, '/livres/ajouter');
  await field(page, 'Titre').waitFor();
  expect(await field(page, 'Titre').inputValue()).toBe('');
});

test('it survives a closed tab, and is nobody else’s', async () => {
  const phone = await device(await household());
  const page = await phone.open('/livres/ajouter');
  await field(page, 'Titre').fill('Désert');
  await untilKept(page);
  await page.close();
  const next = await phone.open('/livres/ajouter');
  await expectText(next, 'Titre', 'Désert');
  phone.portal.user = 'bruno';
  await next.reload();
  await expect.poll(() => next.getByText('Brouillon repris').count()).toBe(0);
  await expectText(next, 'Titre', '');
  phone.portal.user = 'alice';
  await next.reload();
  await expectText(next, 'Titre', 'Désert');
});

test('« Annuler » gives it up, and so does a week', async () => {
  const page = await (await device(await household())).open('/livres/ajouter');
  await field(page, 'Titre').fill('Désert');
  await page.getByRole('button', { name: 'Annuler' }).click();
  await page.getByText('Les rayons sont vides').waitFor();
  await follow(page, '/livres/ajouter');
  await field(page, 'Titre').waitFor();
  expect(await field(page, 'Titre').inputValue()).toBe('');

  await field(page, 'Titre').fill('Ulysse');
  await untilKept(page);
  await page.evaluate(() => {
    for (const [key, text] of Object.entries(localStorage))
      if (key.startsWith('rayonnage.draft|'))
        localStorage.setItem(key, String(text).replace(/"date":\d+/, '"date":0'));
  });
  await goHome(page);
  await follow(page, '/livres/ajouter');
  await field(page, 'Titre').waitFor();
  expect(await field(page, 'Titre').inputValue()).toBe('');
});

test('the draft of an edit comes back on its own record, and is gone once it is saved', async () => {
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
});

test('the forms of wishes, of series and of periodicals have drafts too, each its own', async () => {
  const page = await (await device(await household())).open();
  const paths = [
    '/souhaits/ajouter',
    '/souhaits/ajouter?genre=revue',
    '/series/ajouter',
    '/revues/ajouter',
  ];
  for (const [index, path] of paths.entries()) {
    await follow(page, path);
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
});

test('Escape leaves a form, and what is typed stays', async () => {
  const phone = await device(await household(), { size: 'desk' });
  const page = await phone.open('/series');
  await page.getByRole('link', { name: 'Ajouter' }).click();
  await field(page, 'Titre').fill('Le Rivage');
  await untilKept(page);
  await page.keyboard.press('Escape');
  await page.getByText('Pas encore de séries').waitFor();
  await page.getByRole('link', { name: 'Ajouter' }).click();
  await page.getByText('Brouillon repris').waitFor();
  await expectText(page, 'Titre', 'Le Rivage');
});

test('a draft does not come back over a code that was just scanned', async () => {
  const page = await (await device(await household())).open('/souhaits/ajouter');
  await field(page, 'Titre').fill('Le Rivage');
  await field(page, 'ISBN').fill('2070360024');
  await untilKept(page);
  await goHome(page);
  await follow(page, '/souhaits/ajouter?isbn=9782253140870');
  await expectText(page, 'ISBN', '9782253140870');
  await expectText(page, 'Titre', '');
  await field(page, 'Titre').fill('L’Écume des jours');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByText('est sur ma liste, au rang 1.').waitFor();
  // What was saved is no draft, and the one of the other form is still there.
  await page.reload();
  await expectText(page, 'ISBN', '9782253140870');
  expect(await page.getByText('Brouillon repris').count()).toBe(0);
  await goHome(page);
  await follow(page, '/souhaits/ajouter');
  await expectText(page, 'Titre', 'Le Rivage');
});
