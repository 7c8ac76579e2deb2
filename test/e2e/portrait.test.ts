import type { Locator } from 'playwright';
import { expect, test } from 'vitest';
import { photograph } from '../couvertures/support/pictures.ts';
import { accessibilityFaults, resize } from './support/accessibility.ts';
import { device, SIZES } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

test('a member’s picture replaces the initial on every screen', async () => {
  const house = await household({ ACCOUNTS: 'oui' });
  const phone = await device(house, { user: null, size: 'desk' });
  const page = await phone.open(house.firstPath);
  await page.getByLabel('Nom', { exact: true }).fill('Claire');
  await page.getByLabel('Choisir un mot de passe').fill('une longue phrase');
  await page.getByRole('button', { name: 'Entrer dans la bibliothèque' }).click();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
  const reader = page.getByRole('link', { name: 'Claire Changer de lecteur' });
  expect(await reader.innerText()).toMatch(/^C\s/);
  const menu = page.getByRole('navigation').first();
  expect(await topOf(reader), 'above the menu').toBeLessThan(await topOf(menu));
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('button', { name: 'Portrait La lettre' }).click();
  const file = { name: 'moi.jpg', mimeType: 'image/jpeg', buffer: await photograph() };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Portrait Une image' }).waitFor();
  expect(await accessibilityFaults(page, '/reglages/compte: a portrait')).toEqual([]);
  const width = () =>
    reader.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth);
  await expect.poll(width).toBe(288);
  await reader.click();
  await page.getByRole('button', { name: 'Claire' }).locator('img').waitFor();
  await page.getByRole('button', { name: 'Claire' }).click();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
  await follow(page, '/reglages');
  await page.getByRole('link', { name: 'Mon compte' }).click();
  await page.getByRole('button', { name: 'Portrait Une image' }).click();
  await page.getByRole('button', { name: 'Retirer l’image' }).click();
  await expect.poll(() => page.locator('main img, header img').count()).toBe(0);
  expect(await reader.innerText()).toMatch(/^C\s/);

  await resize(page, SIZES.phone);
  await page.getByRole('button', { name: 'Menu' }).click();
  const sheet = page.getByRole('dialog', { name: 'Menu' });
  await sheet.getByRole('link', { name: 'Claire Changer de lecteur' }).waitFor();
  expect(await sheet.getByRole('link').first().innerText()).toMatch(/^C\s/);
});

const topOf = async (place: Locator): Promise<number> => (await place.boundingBox())?.y ?? NaN;
