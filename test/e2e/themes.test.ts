import { expect, test } from 'vitest';
import { unfoldFields } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow } from './support/catalogue.ts';
import { ajouterNumero, ajouterRevue } from './support/collections.ts';
import { device } from './support/device.ts';
import { expectFeedback, undo } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';
import { bar, select } from './support/selection.ts';

test('a book gets themes that filter, search and rename', async () => {
  const house = await household();
  const dune = await house.ajouter({ titre: 'Dune', themes: ['Science-fiction'] });
  const desert = await house.ajouter({ titre: 'Désert' });
  const revue = await ajouterRevue(house, { titre: 'Galaxies' });
  await ajouterNumero(house, revue, { numero: '12', themes: ['science-fiction'] });
  const phone = await device(house, { serviceWorker: true });
  const page = await phone.open(`/livres/${String(desert.id)}/modifier`);
  await unfoldFields(page);
  const field = page.getByRole('combobox', { name: 'Thèmes' });
  await field.fill('scien');
  await page.getByRole('option', { name: /^Science-fiction/ }).waitFor();
  await field.press('Enter');
  await field.fill('Sable;');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('link', { name: 'Sable' }).waitFor();

  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  await page.getByRole('link', { name: 'Science-fiction' }).click();
  await page.getByRole('heading', { name: 'Science-fiction', level: 1 }).waitFor();
  for (const name of ['Dune', 'Désert', /^Galaxies/])
    await page.getByRole('link', { name }).waitFor();
  await follow(page, '/?theme=science%20FICTION&recherche=scien');
  for (const titre of ['Dune', 'Désert']) await livreRow(page, titre).waitFor();
  await phone.restoreNetwork();

  await follow(page, '/themes/Sable');
  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom').fill('science fiction');
  await page.getByText(/existe déjà/).waitFor();
  expect(await accessibilityFaults(page, '/themes/[nom]: a name that is taken')).toEqual([]);
  await page.getByRole('button', { name: 'Fusionner' }).click();
  await page.getByRole('heading', { name: 'Science-fiction', level: 1 }).waitFor();
  await expectFeedback(page, 'Thème renommé : Sable → Science-fiction');
  await undo(page);
  await follow(page, `/livres/${String(desert.id)}`);
  await page.getByRole('link', { name: 'Sable' }).waitFor();
  expect(dune.themes).toEqual(['Science-fiction']);
});

test('many books get a theme at once', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Dune', themes: ['Vélo', 'Vent', 'Vers', 'Vin', 'Voyage'] });
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open();
  await select(page, 'Désert', 'Dune');
  await bar(page).getByRole('button', { name: 'Thème' }).click();
  await page.getByRole('combobox', { name: 'Thème' }).fill('v');
  await page.getByRole('option', { name: 'Voyage' }).click();
  await page.getByRole('combobox', { name: 'Thème' }).fill('À vendre');
  expect(await accessibilityFaults(page, '/: a selection, a new theme')).toEqual([]);
  await bar(page).getByRole('button', { name: 'Ajouter le thème' }).click();
  await expectFeedback(page, 'Thème À vendre ajouté : 2 livres');
});

test('a theme is renamed by the keyboard alone', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Dune', themes: ['Sable'] });
  const page = await (await device(house)).open('/themes/Sable');
  const rename = page.getByRole('button', { name: 'Renommer' });
  await rename.press('Enter');
  const nom = page.locator('input:focus');
  await nom.fill(' ');
  await nom.press('Enter');
  await page.getByText('Indiquez un thème.', { exact: true }).first().waitFor();
  await nom.press('Escape');
  await rename.press('Enter');
  await nom.fill('Désert');
  await nom.press('Enter');
  await page.getByRole('heading', { name: 'Désert', level: 1 }).waitFor();
});

test('a theme « .. » has a page of its own', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Dune', themes: ['..'] });
  const page = await (await device(house)).open(`/livres/${String(id)}`);
  await page.getByRole('link', { name: '..', exact: true }).click();
  await page.getByRole('heading', { name: '..', level: 1 }).waitFor();
  await page.reload();
  await page.getByRole('link', { name: 'Dune' }).waitFor();
});

test('renaming a deleted theme reports it', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Dune', themes: ['Sable'] });
  const page = await (await device(house)).open('/themes/Sable');
  await page.route('**/api/themes', (route) => route.fulfill({ json: [] }));
  await page.getByRole('button', { name: 'Renommer' }).click();
  await page.getByLabel('Nom').fill('Désert');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('alert').getByText('Ce thème n’est pas dans la bibliothèque').waitFor();
});

test('the field of themes holds a name, a pasted list', async () => {
  const house = await household();
  const { id } = await house.ajouter({ titre: 'Dune', themes: ['Sable'] });
  const phone = await device(house);
  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await phone.open(`/livres/${String(id)}/modifier`);
  const field = page.getByRole('combobox', { name: 'Thèmes' });
  expect(await field.getAttribute('maxlength')).toBe('200');
  const list = Array.from({ length: 12 }, (_, i) => `Une étiquette assez longue ${String(i)}`);
  // Firefox writes to the clipboard only after a press.
  await field.click();
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${list.join(';')};`);
  await page.keyboard.press('ControlOrMeta+v');
  for (const nom of list)
    await page.getByRole('button', { name: `Retirer ${nom}`, exact: true }).waitFor();
});
