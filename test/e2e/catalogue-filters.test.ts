import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreTitles, reverse, sortBy } from './support/catalogue.ts';
import { ajouterSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

async function shelf() {
  const house = await household();
  const desert = await house.ajouter({ titre: 'Désert', editeur: 'Gallimard', annee: 1980 });
  const other = await house.ajouter({ titre: 'Sido', editeur: 'GALLIMARD', annee: 1930 });
  await house.ajouter({ titre: 'Akira', editeur: 'Glénat', annee: 1984, isbn: '9782070408504' });
  await house.setStatut(desert, 'alice', 2);
  await house.setStatut(other, 'alice', 0);
  await ajouterSerie(house, {
    titre: 'Les déserts',
    places: [{ titre: 'Désert', numero: '1', livreId: desert.id }],
  });
  return house;
}

test('filters become chips that come off one by one', async () => {
  const page = await (await device(await shelf(), { size: 'desk' })).open();
  await page.getByRole('button', { name: 'Filtres' }).click();
  await page.getByRole('group', { name: 'Lecture' }).getByRole('radio', { name: 'Lu' }).check();
  await expect.poll(() => livreTitles(page)).toEqual(['Désert']);
  await page.getByRole('checkbox', { name: 'À lire' }).check();
  await expect.poll(() => livreTitles(page)).toEqual(['Désert', 'Sido']);
  await page.getByRole('button', { name: 'Filtres, 2 actifs' }).waitFor();
  expect(await accessibilityFaults(page, '/: two filters on')).toEqual([]);
  await page.getByRole('button', { name: 'Retirer le filtre « Lu »' }).click();
  await expect.poll(() => livreTitles(page)).toEqual(['Sido']);
  await page.getByRole('button', { name: 'Retirer le filtre « À lire »' }).click();
  await expect.poll(() => livreTitles(page)).toEqual(['Akira', 'Désert', 'Sido']);
  // There are chips for missing fields and for the publisher, too.
  await page.getByRole('checkbox', { name: 'Sans ISBN' }).check();
  await expect.poll(() => livreTitles(page)).toEqual(['Désert', 'Sido']);
  await page.getByRole('checkbox', { name: 'Sans série' }).check();
  await expect.poll(() => livreTitles(page)).toEqual(['Sido']);
  await page.getByRole('button', { name: 'Retirer le filtre « Sans série »' }).click();
  await page.getByLabel('Éditeur').fill('gall');
  await page.getByRole('option', { name: /gallimard/i }).click();
  await expect.poll(() => livreTitles(page)).toEqual(['Désert', 'Sido']);
  await page.getByRole('button', { name: /Retirer le filtre « gallimard »/i }).click();
  await expect.poll(() => page.getByLabel('Éditeur').inputValue()).toBe('');
});

test('a theme that is called as another filter has a chip beside it', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert', typeDocument: 'Roman', themes: ['Roman'] });
  await house.ajouter({ titre: 'Akira', typeDocument: 'BandeDessinee' });
  const page = await (await device(house)).open('/?typeDocument=Roman&theme=Roman&statut=1,1');
  const chips = page.getByRole('button', { name: /^Retirer le filtre/ });
  await expect.poll(() => chips.count()).toBe(3);
  await page.getByRole('button', { name: 'Retirer le filtre « En cours »' }).click();
  await expect.poll(() => livreTitles(page)).toEqual(['Désert']);
  await page.getByRole('button', { name: 'Retirer le filtre « Roman »' }).first().click();
  await expect.poll(() => chips.count()).toBe(1);
});

test('two filters chosen at once both hold', async () => {
  const page = await (await device(await shelf())).open();
  const filters = page.getByRole('button', { name: /^Filtres/ });
  await filters.click();
  const sheet = page.getByRole('dialog', { name: 'Filtres' });
  await expect.poll(() => sheet.evaluate((each) => each === document.activeElement)).toBe(true);
  // In one task, before the first change has reached the address.
  await sheet.evaluate((each) => {
    const boxes = [...each.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
    for (const box of boxes)
      if (/^Sans (ISBN|série)$/.test(box.closest('label')?.textContent.trim() ?? '')) box.click();
  });
  await page.getByRole('button', { name: 'Filtres, 2 actifs' }).waitFor();
  await expect.poll(() => livreTitles(page)).toEqual(['Sido']);
  expect(new URL(page.url()).searchParams.get('sans')?.split(',')).toHaveLength(2);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
  expect(await filters.evaluate((each) => each === document.activeElement)).toBe(true);
});

test('each order runs both ways, with its own headings', async () => {
  const page = await (await device(await shelf())).open('/?tri=annee');
  await expect.poll(() => livreTitles(page)).toEqual(['Sido', 'Désert', 'Akira']);
  const headings = page.getByRole('list', { name: 'Livres' }).getByRole('heading');
  expect(await headings.allInnerTexts()).toEqual(['Années 1930', 'Années 1980']);
  await page.getByRole('list', { name: 'Livres' }).getByText('1984').waitFor();
  await reverse(page);
  await expect.poll(() => livreTitles(page)).toEqual(['Akira', 'Désert', 'Sido']);
  await sortBy(page, 'Série');
  await expect.poll(() => headings.allInnerTexts()).toEqual(['Les déserts', 'Sans série']);
  await sortBy(page, 'Derniers ajouts');
  await expect.poll(() => livreTitles(page)).toEqual(['Akira', 'Sido', 'Désert']);
});

test('Escape in suggestions leaves the sheet of filters open', async () => {
  const page = await (await device(await shelf())).open();
  await page.getByRole('button', { name: /^Filtres/ }).click();
  const sheet = page.getByRole('dialog', { name: 'Filtres' });
  await sheet.getByLabel('Éditeur').fill('gall');
  await sheet.getByRole('option', { name: /gallimard/i }).waitFor();
  await page.keyboard.press('Escape');
  await sheet.getByRole('option').waitFor({ state: 'detached' });
  expect(await sheet.getByLabel('Éditeur').inputValue()).toBe('gall');
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'detached' });
});
