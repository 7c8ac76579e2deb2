import { expect, test } from 'vitest';
import { ajouterNumero, ajouterRevue, lireNumeros } from './support/collections.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

test('a printed date is sorted among others', async () => {
  const house = await household();
  const revue = await ajouterRevue(house, { titre: 'XXI' });
  await ajouterNumero(house, revue, { numero: '70', date: '2026-02' });
  await ajouterNumero(house, revue, { numero: '72', date: '2026-09-15' });
  const page = await (await device(house)).open(`/revues/${String(revue.id)}/numeros/ajouter`);
  await page.getByLabel('Numéro', { exact: true }).fill('71');
  await page.getByLabel('Date').fill('Printemps 2026');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('link', { name: 'N° 71' }).waitFor();
  const labels = () => page.getByRole('region', { name: '2026' }).getByRole('link').allInnerTexts();
  await expect.poll(labels).toEqual(['N°\u00a072', 'N°\u00a071', 'N°\u00a070']);
  const shelf = page.getByRole('region', { name: '2026' });
  await shelf.getByText('Printemps 2026', { exact: true }).waitFor();
  // The shelf's year is not repeated.
  await shelf.getByText('15 septembre', { exact: true }).waitFor();
  const numeros = await lireNumeros(house, revue);
  expect(numeros.map(({ date }) => date)).toEqual(['2026-09-15', 'Printemps 2026', '2026-02']);
  await page.getByRole('link', { name: 'N° 71' }).click();
  // The periodical shows the same date, and has its own « Modifier ».
  await page.getByRole('heading', { level: 1, name: /^N° 71/ }).waitFor();
  await page.getByRole('article').getByText('Printemps 2026').waitFor();
  await page.getByRole('article').getByRole('button', { name: 'Modifier' }).click();
  await page.getByLabel('Date').fill('juillet-août 2026');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await page.getByRole('article').getByText('juillet-août 2026').waitFor();
});

test('a proposed theme is taken by Enter alone', async () => {
  const house = await household();
  const revue = await ajouterRevue(house, { titre: 'La Hulotte' });
  await ajouterNumero(house, revue, { numero: '1', themes: ['Beaux-arts', 'Art contemporain'] });
  const page = await (await device(house)).open(`/revues/${String(revue.id)}/numeros/ajouter`);
  const themes = page.getByRole('combobox', { name: 'Thèmes' });
  const suggested = page.getByRole('option', { selected: true });
  await themes.pressSequentially('art');
  await suggested.getByText('Art contemporain').waitFor();
  await themes.press('Enter');
  await page.getByRole('button', { name: 'Retirer Art contemporain' }).waitFor();
  await themes.pressSequentially('art');
  await suggested.getByText('Beaux-arts').waitFor();
  await themes.press('Escape');
  await themes.press('Enter');
  await page.getByRole('button', { name: 'Retirer art', exact: true }).waitFor();
  await themes.pressSequentially('beaux;');
  await page.getByRole('button', { name: 'Retirer beaux', exact: true }).waitFor();
});
