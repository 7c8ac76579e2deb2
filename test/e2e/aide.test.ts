import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
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

test('help is searched like the catalogue, and opens the passage', async () => {
  const page = await (await device(await household())).open('/aide/preter');
  await page.getByRole('heading', { name: 'Redemander un livre' }).waitFor();
  const search = page.getByRole('searchbox', { name: 'Rechercher' });
  await search.fill('CALENDRIER agenda');
  await page.getByRole('heading', { name: 'Aucun résultat pour « CALENDRIER agenda »' }).waitFor();
  await search.fill('telephone AGENDA pret');
  await page.getByRole('heading', { name: /^Aucun résultat/ }).waitFor();
  await search.fill('AGENDA preter');
  const found = page.getByRole('list', { name: 'Réponses de l’aide' });
  const answer = found.getByRole('link', { name: 'Prêter et rendre, Redemander un livre' });
  await answer.waitFor();
  expect(await found.getByRole('link').count()).toBe(1);
  expect(await found.innerText()).toContain('Un agenda montre les retours convenus');
  expect(await accessibilityFaults(page, '/aide: answers')).toEqual([]);

  // A page whose heading matches is listed once, whatever passages of it match.
  await search.fill('preter');
  const titles = () => found.getByRole('link').allInnerTexts();
  await expect.poll(async () => (await titles())[0]).toBe('Prêter et rendre');
  expect((await titles()).filter((title) => title.startsWith('Prêter et rendre'))).toHaveLength(1);

  await search.fill('carton plein');
  await found.getByRole('link', { name: 'Savoir où sont les livres, Cartons' }).click();
  await page.getByRole('heading', { name: 'Savoir où sont les livres', level: 1 }).waitFor();
  const passage = page.locator('.found');
  await expect.poll(() => passage.innerText()).toMatch(/^Un carton est un emplacement/);
  const isInSight = () =>
    passage.evaluate((it) => scrollY > 0 && it.getBoundingClientRect().bottom < innerHeight);
  await expect.poll(isInSight).toBe(true);
  expect(await search.inputValue()).toBe('');
  await page.reload();
  await passage.waitFor();
  await expect.poll(isInSight).toBe(true);

  // As a link that somebody sends: nothing has been scrolled before.
  const address = page.url();
  await page.goto('about:blank');
  await page.goto(address);
  await passage.waitFor();
  await expect.poll(isInSight).toBe(true);
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
