import { expect, test } from 'vitest';
import { searchForBook, unfold } from './support/add.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import type { Serie } from '#shared/series';
import { device } from './support/device.ts';
import { expectFeedback, view } from './support/feedback.ts';
import { follow } from './support/follow.ts';
import { householdWithCatalogues } from './support/recherche.ts';

test('a book without an ISBN is found by its title', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await searchForBook(page, 'chateau carpathes');
  const editions = page.getByRole('list', { name: 'Éditions trouvées' });
  await editions.getByRole('button', { name: /Les Presses du phare, 2012/ }).waitFor();
  expect(await house.titres()).toEqual([]);
  // The keyboard of a phone, which would cover half of the window, is closed.
  await page.locator('button:focus', { hasText: 'Ajouter' }).waitFor();
  expect(await accessibilityFaults(page, '/livres/ajouter: editions of a title')).toEqual([]);
  await editions.getByRole('button', { name: /Club du livre du soir, 2021/ }).click();
  await unfold(page);
  expect(await page.getByLabel('Titre', { exact: true }).inputValue()).toBe(
    'Le château des Carpathes',
  );
  expect(await page.getByLabel('Année').inputValue()).toBe('2021');
  await page.getByRole('button', { name: 'Retirer Jules Verne' }).waitFor();
  // The edition's title replaces the search text.
  expect(await page.getByLabel('ISBN', { exact: true }).inputValue()).toMatch(/^978/);
  await editions.getByRole('button', { name: /Les Presses du phare, 2012/ }).click();
  expect(await page.getByLabel('Année').inputValue()).toBe('2012');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, 'Livre ajouté : Le château des Carpathes');
});

test('a comic’s title proposes its series', async () => {
  const { house } = await householdWithCatalogues();
  const page = await (await device(house)).open('/livres/ajouter');
  await unfold(page);
  const titre = page.getByLabel('Titre', { exact: true });
  const serie = page.getByLabel('Série', { exact: true });
  await titre.fill('Fahrenheit, tome 451');
  await page.getByRole('checkbox', { name: /série « Fahrenheit », numéro 451/ }).uncheck();
  expect(await serie.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, 'Livre ajouté : Fahrenheit, tome 451');
  await titre.fill('Fahrenheit, tome 452');
  await page.getByRole('checkbox', { name: /série « Fahrenheit », numéro 452/ }).waitFor();
  expect(await serie.inputValue()).toBe('');
  await titre.fill('Akira, tome 3');
  expect(await serie.inputValue()).toBe('Akira');
  await page.getByLabel('Numéro', { exact: true }).fill('4');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await expectFeedback(page, 'Livre ajouté : Akira, tome 3');
  const series = (await (await fetch(`${house.url}/api/series`)).json()) as Serie[];
  expect(series).toMatchObject([{ titre: 'Akira', places: [{ numero: '4' }] }]);

  await follow(page, '/');
  await page.getByRole('link', { name: 'Akira', exact: true }).waitFor();
  await follow(page, '/livres/ajouter');
  await unfold(page);
  await page.getByLabel('Adresse de la couverture').fill('https://covers.example/desert.jpg');
  const picture = page.locator('.preview img');
  await picture.waitFor({ state: 'attached' });
  expect(await picture.getAttribute('src')).toContain('covers.example');
  await page.getByLabel('Adresse de la couverture').fill('');
  await searchForBook(page, 'La marée haute');
  const editions = page.getByRole('list', { name: 'Éditions trouvées' });
  await editions.getByRole('button', { name: /La marée haute : 1/ }).click();
  expect(await page.getByLabel('Type de document').inputValue()).toBe('BandeDessinee');
  const proposed = page.getByRole('checkbox', {
    name: 'Dans une nouvelle série « La marée haute », numéro 1',
  });
  expect(await proposed.isChecked()).toBe(true);
  expect(await serie.inputValue()).toBe('La marée haute');
  expect(await page.getByLabel('Numéro', { exact: true }).inputValue()).toBe('1');
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click();
  await view(page, /^Livre ajouté.*La marée haute/);
  await page.getByRole('link', { name: 'La marée haute', exact: true }).click();
  await page.getByRole('heading', { name: 'La marée haute', exact: true }).waitFor();
});
