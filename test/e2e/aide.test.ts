import { expect, test } from 'vitest';
import { unfold } from './support/add.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';

test('« Aide » opens a screen’s page of the manual', async () => {
  const phone = await device(await household(), { serviceWorker: true });
  const page = await phone.open('/prets');
  await page.getByRole('button', { name: 'Menu' }).click();
  const menu = page.getByRole('navigation', { name: 'Principal' });
  const destinations = ['Catalogue', 'Auteurs', 'Prêts', 'Souhaits', 'Séries', 'Revues'];
  const apart = [
    'Mes lectures',
    'Listes et recherches',
    'Rangement',
    'Modifications',
    'Réglages',
    'Aide',
    'À propos',
  ];
  const nameOf = (text: string) => text.replace(/[\s\d]+$/u, '').trim();
  expect((await menu.getByRole('link').allInnerTexts()).map(nameOf)).toEqual([
    ...destinations,
    ...apart,
  ]);
  await page.getByRole('link', { name: 'Aide' }).click();
  await page.getByRole('heading', { name: 'Prêter et rendre' }).waitFor();
  await page.getByRole('link', { name: 'Aide' }).first().click();
  const pages = page.getByRole('main').getByRole('listitem').getByRole('link');
  await pages.first().waitFor();
  const names = await pages.allTextContents();
  expect(names.length).toBeGreaterThan(10);

  await phone.untilOfflineReady(page);
  await phone.cutNetwork();
  for (const name of names) {
    await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    for (const image of await page.getByRole('main').locator('img').all())
      await expect
        .poll(() => image.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
        .toBe(540);
    await page.goBack();
  }
});

test('a page the device shares is looked up by ISBN', async () => {
  const { house } = await householdWithCatalogues();
  const shared = encodeURIComponent('https://librairie.example/livre/9782948012017-hugo');
  const page = await (await device(house)).open(`/livres/ajouter?title=Hugo&url=${shared}`);
  await page.getByText(/^Trouvé/).waitFor();
  await unfold(page);
  const titre = page.getByLabel('Titre', { exact: true });
  expect(await titre.inputValue()).toBe('Les travailleurs de la mer');
});
