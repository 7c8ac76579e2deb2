import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { resize } from './support/accessibility.ts';
import { chezNous, livreRow, livreTitles, searchFor, sortBy } from './support/catalogue.ts';
import { device, SIZES } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

async function shelves(): Promise<Household> {
  const house = await household();
  await house.ajouter({ titre: 'Tome 100', auteurs: ['Zoé Adam'], annee: 1990 });
  await house.ajouter({ titre: 'La Peste', auteurs: ['Albert Camus'], annee: 1947 });
  await house.ajouter({ titre: 'Tome 12', auteurs: ['Émile Zola'], annee: 2001 });
  await house.ajouter({ titre: 'Nadja', auteurs: ['André Breton'], annee: 1928 });
  return house;
}

const expectTitles = async (page: Page, ...titres: string[]) => {
  await expect.poll(() => livreTitles(page)).toEqual(titres);
};

/** More books than fit into a window: thirty for each of some letters. */
async function longHouse(): Promise<Household> {
  const house = await household();
  for (const letter of ['B', 'M', 'T'])
    for (let i = 0; i < 30; i++)
      await house.ajouter({
        titre: `${letter}ataille ${i + 1}`,
        auteurs: [`Jean ${letter}ol${i}`],
      });
  return house;
}

test('books keep the order that is chosen', async () => {
  const house = await shelves();
  const desk = await device(house, { size: 'desk' });
  const page = await desk.open();
  // The order of titles ignores articles and compares numbers by value.
  await expectTitles(page, 'Nadja', 'La Peste', 'Tome 12', 'Tome 100');
  await sortBy(page, 'Auteur');
  await expectTitles(page, 'Tome 100', 'Nadja', 'La Peste', 'Tome 12');
  await page.waitForURL(/tri=auteur/);
  await sortBy(page, 'Année');
  await expectTitles(page, 'Nadja', 'La Peste', 'Tome 100', 'Tome 12');
  await page.goBack();
  await expectTitles(page, 'Tome 100', 'Nadja', 'La Peste', 'Tome 12');
  await page.goForward();
  // An address without an order uses the device's last one.
  await page.goto(desk.portal.url);
  await expectTitles(page, 'Nadja', 'La Peste', 'Tome 100', 'Tome 12');
  await follow(page, '/?tri=ajout');
  await expectTitles(page, 'Nadja', 'Tome 12', 'La Peste', 'Tome 100');

  await house.ajouter({ titre: 'Fondation', format: 'Numerique' });
  // On a phone the order is above the list, and the filters are in a sheet.
  await resize(page, SIZES.phone);
  await sortBy(page, 'Auteur');
  await page.getByRole('button', { name: 'Filtres' }).click();
  const sheet = page.getByRole('dialog', { name: 'Filtres' });
  await sheet.getByRole('radio', { name: 'Papier' }).check();
  await expectTitles(page, 'Tome 100', 'Nadja', 'La Peste', 'Tome 12');
  await sheet.getByRole('button', { name: 'Voir 4 livres' }).click();
  await sheet.waitFor({ state: 'detached' });

  // A tab restores its last search; a second press clears it.
  await searchFor(page, 'tome');
  await expectTitles(page, 'Tome 100', 'Tome 12');
  const tabs = page.getByRole('navigation', { name: 'Onglets' });
  await tabs.getByRole('link', { name: 'Prêts' }).click();
  await page.getByRole('heading', { name: 'Prêts' }).waitFor();
  await tabs.getByRole('link', { name: 'Catalogue' }).click();
  await expectTitles(page, 'Tome 100', 'Tome 12');
  await tabs.getByRole('link', { name: 'Catalogue' }).click();
  await expectTitles(page, 'Tome 100', 'Nadja', 'La Peste', 'Tome 12', 'Fondation');
});

const raise = (message: string): never => {
  throw new Error(message);
};

const scrollTo = async (page: Page, y: number) => {
  await page.evaluate((top) => window.scrollTo(0, top), y);
  await expectScroll(page, y);
};
const expectScroll = async (page: Page, y: number) => {
  await expect.poll(() => page.evaluate(() => Math.round(scrollY))).toBe(y);
};

test('a long list has a rail of letters on a phone', async () => {
  const page = await (await device(await longHouse())).open();
  await chezNous(page);
  await page.getByRole('button', { name: 'Replier « Chez nous »' }).click();
  // The list begins below three lines, one of which is sticky.
  await livreRow(page, 'Bataille 1').waitFor();
  const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? raise('not shown');
  const first = await boxOf(livreRow(page, 'Bataille 1'));
  expect(first.y).toBeLessThan(170);
  const control = page.getByRole('button', { name: 'Titre, tri et affichage' });
  const count = page.getByText(/^\d+ livres$/);
  const [order, counted] = [await boxOf(control), await boxOf(count)];
  expect(Math.min(order.width, order.height)).toBeGreaterThanOrEqual(44);
  expect(Math.abs(order.y + order.height / 2 - counted.y - counted.height / 2)).toBeLessThan(2);
  const search = page.getByRole('searchbox', { name: 'Rechercher' });
  const top = (await boxOf(search)).y;
  for (const role of ['button', 'link'] as const)
    expect(
      (await boxOf(page.getByRole(role, { name: role === 'link' ? 'Ajouter' : /^Filtres/ }))).y,
    ).toBe(top);
  await scrollTo(page, 1_000);
  expect((await boxOf(search)).y).toBe(top);
  expect((await boxOf(page.locator('header'))).height).toBeLessThan(70);
  expect((await boxOf(control)).y).toBeLessThan(0);

  await scrollTo(page, 0);
  await page.reload();
  await livreRow(page, 'Bataille 1').waitFor();
  const rail = page.getByRole('slider', { name: 'Aller à une lettre' });
  await rail.waitFor();
  for (const [size, viewport] of Object.entries(SIZES)) {
    await resize(page, viewport);
    const box = await rail.boundingBox();
    if (box === null) throw new Error('no rail');
    expect(box.width, size).toBeGreaterThanOrEqual(44);
    await page.mouse.move(box.x + box.width / 2, box.y + 5);
    // On a phone the rail of letters is shown while scrolling.
    const takesPresses = () => rail.evaluate((one) => getComputedStyle(one).pointerEvents);
    const before = size === 'phone' ? 'none' : 'auto';
    await expect.poll(takesPresses, { message: size }).toBe(before);
    await page.mouse.wheel(0, 300);
    await expect.poll(takesPresses).toBe('auto');
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 5, { steps: 4 });
    await page.mouse.up();
    expect(await rail.getAttribute('aria-valuetext'), size).toBe('T');
    await livreRow(page, 'Tataille 1').waitFor();
    await rail.focus();
    await page.keyboard.press('ArrowUp');
    await livreRow(page, 'Mataille 1').waitFor();
    expect(await rail.getAttribute('aria-valuetext'), size).toBe('M');
  }
  // The authors have a rail too; a short list has none.
  await follow(page, '/auteurs');
  await rail.waitFor();
  await page.getByRole('searchbox').fill('bol1');
  await rail.waitFor({ state: 'detached' });
});

test('a list is found where it was left', async () => {
  const page = await (await device(await longHouse())).open();
  await chezNous(page);
  await scrollTo(page, 3_000);
  const tabs = page.getByRole('navigation', { name: 'Onglets' });
  await tabs.getByRole('link', { name: 'Auteurs' }).click();
  await page.getByRole('heading', { name: 'Auteurs' }).waitFor();
  await expectScroll(page, 0);
  await scrollTo(page, 1_000);
  await tabs.getByRole('link', { name: 'Catalogue' }).click();
  await expectScroll(page, 3_000);
  await tabs.getByRole('link', { name: 'Auteurs' }).click();
  await expectScroll(page, 1_000);
  await page.goBack();
  await expectScroll(page, 3_000);
  await page.reload();
  await expectScroll(page, 3_000);
  // Press the link in the page: a locator would scroll to it.
  await page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href^="/livres/"]')];
    const isInSight = (link: HTMLAnchorElement) => {
      const { top, bottom } = link.getBoundingClientRect();
      return /^\/livres\/\d/.test(link.getAttribute('href') ?? '') && top > 200 && bottom < 600;
    };
    links.find(isInSight)?.click();
  });
  await page.getByRole('link', { name: 'Retour au catalogue' }).click();
  await expectScroll(page, 3_000);
  // The tab of the current screen scrolls to the top.
  await tabs.getByRole('link', { name: 'Catalogue' }).click();
  await expectScroll(page, 0);
});
