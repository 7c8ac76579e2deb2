import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow } from './support/catalogue.ts';
import { ajouterEmplacement, ajouterSerie, rangerLivre } from './support/collections.ts';
import { device, SIZES } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

const AUTEUR = 'Roger Martin du Gard';

/** The texts on the generated covers. */
const jackets = (place: Locator): Promise<string[]> =>
  place
    .locator('.jacket .titre')
    .evaluateAll((titres) => titres.map((titre) => titre.getAttribute('data-text') ?? ''));

const livreList = (page: Page) => page.getByRole('list', { name: 'Livres' });

const oneLine = (text: string) => text.replaceAll(/\s+/gu, ' ').trim();

/** « Les Thibault » with volumes 1, 2 and 4, and another book of the author's. */
async function seriesHouse(): Promise<Household> {
  const house = await household();
  const places = [];
  for (const [numero, titre] of [
    ['1', 'Le Cahier gris'],
    ['2', 'Le Pénitencier'],
    ['4', 'La Consultation'],
  ]) {
    const { id } = await house.ajouter({ titre: titre ?? '', auteurs: [AUTEUR] });
    places.push({ titre: titre ?? '', numero: numero ?? '', livreId: id });
  }
  await ajouterSerie(house, { titre: 'Les Thibault', places });
  await house.ajouter({ titre: 'Vieille France', auteurs: [AUTEUR] });
  await house.ajouter({ titre: 'Ru', auteurs: ['Kim Thúy'] });
  return house;
}

test('a book without a picture bears its title', async () => {
  const house = await seriesHouse();
  const page = await (await device(house)).open();
  await livreRow(page, 'Ru').waitFor();
  const titres = ['La Consultation', 'Le Cahier gris', 'Le Pénitencier', 'Ru', 'Vieille France'];
  const shown = async () => (await jackets(livreList(page))).map(oneLine).toSorted();
  await expect.poll(shown).toEqual(titres);
  const search = page.getByRole('searchbox', { name: 'Rechercher' });
  await search.fill('vieille');
  await expect.poll(shown).toEqual(['Vieille France']);
  await search.fill('cahier');
  await expect.poll(shown).toEqual(['Le Cahier gris']);
  await search.fill('');
  await expect.poll(shown).toEqual(titres);
  await follow(page, '/?affichage=couvertures');
  await page.locator('.wall').waitFor();
  await expect.poll(shown).toEqual(titres);
  const sizes = await page
    .locator('.wall .tile')
    .filter({ has: page.getByRole('link', { name: /Cahier|Consultation|Pénitencier/ }) })
    .locator('.titre')
    .evaluateAll((all) => all.map((each) => Number.parseFloat(getComputedStyle(each).fontSize)));
  expect(sizes).toHaveLength(3);
  // Columns differ by a fraction of a pixel, and the font sizes with them.
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(0.05);
  await livreRow(page, 'Ru').getByRole('link').click();
  await page.getByRole('heading', { level: 1, name: 'Ru' }).waitFor();
  await expect
    .poll(async () => (await jackets(page.locator('.hero'))).map(oneLine))
    .toEqual(['Ru']);
});

test('comics are three quarters as wide as high, other books two thirds', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Akira', typeDocument: 'BandeDessinee' });
  await house.ajouter({ titre: 'Nana', typeDocument: 'Roman' });
  const page = await (await device(house)).open();
  const shareOf = async (titre: string) => {
    const { width = 0, height = 1 } =
      (await livreRow(page, titre).locator('.cover').boundingBox()) ?? {};
    return Math.round((width / height) * 100);
  };
  for (const path of ['/', '/?affichage=couvertures']) {
    await follow(page, path);
    await livreRow(page, 'Nana').waitFor();
    await expect.poll(() => shareOf('Akira'), { message: path }).toBe(75);
    await expect.poll(() => shareOf('Nana'), { message: path }).toBe(67);
  }
});

test('on a shelf a missing volume is dashed, an unknown code grey', async () => {
  const house = await household();
  const room = await ajouterEmplacement(house, { nom: 'Salon', parentId: null });
  const code = '978-2-07-036002-4';
  for (const titre of ['Nana', 'Germinal', code]) {
    const livre = await house.ajouter({ titre });
    await rangerLivre(house, livre.id, room.id);
    if (titre === 'Germinal') await house.preter(livre, 'Zoé');
  }
  const page = await (await device(house)).open(`/rangement/${room.id}`);
  const spines = page.locator('.board .spine');
  await expect.poll(() => spines.count()).toBe(3);
  const lookOf = (titre: string) =>
    spines.filter({ has: page.locator(`[data-text="${titre}"]`) }).evaluate((spine) => {
      const grey = document.createElement('span');
      grey.style.background = 'var(--cloth-unknown)';
      document.body.append(grey);
      const { borderTopStyle, backgroundColor } = getComputedStyle(spine);
      const isGrey = backgroundColor === getComputedStyle(grey).backgroundColor;
      grey.remove();
      const isBare = backgroundColor === 'rgba(0, 0, 0, 0)';
      return { border: borderTopStyle, isGrey, isBare };
    });
  expect(await lookOf('Nana')).toEqual({ border: 'none', isGrey: false, isBare: false });
  expect(await lookOf('Germinal')).toEqual({ border: 'dashed', isGrey: false, isBare: true });
  expect(await lookOf(code)).toEqual({ border: 'none', isGrey: true, isBare: false });
  // On a spine, titles run from bottom to top.
  const titre = spines.locator('.titre').first();
  const turn = await titre.evaluate((each) => {
    const { writingMode, rotate } = getComputedStyle(each);
    return [writingMode, rotate];
  });
  expect(turn).toEqual(['vertical-rl', '180deg']);
});

test('the wall by series shows a place for missing volumes', async () => {
  const house = await seriesHouse();
  const page = await (
    await device(house, { size: 'desk' })
  ).open('/?affichage=couvertures&tri=serie');
  await livreList(page).getByRole('heading', { name: 'Les Thibault' }).waitFor();
  await expect.poll(() => page.locator('.wall .gap').allInnerTexts()).toEqual(['3']);
  await livreRow(page, 'Le Cahier gris').getByRole('link').focus();
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate(() => document.activeElement?.textContent.trim());
  await expect.poll(focused).toBe('Ru');
  await page.keyboard.press('ArrowUp');
  await expect.poll(focused).toBe('Le Cahier gris');
});

const strip = (page: Page, name: string) => page.getByRole('list', { name, exact: true });

test('a book leads to its series and its author’s others', async () => {
  const house = await seriesHouse();
  const page = await (await device(house)).open();
  for (const size of Object.values(SIZES)) {
    await page.setViewportSize(size);
    await follow(page, '/');
    await livreRow(page, 'Le Pénitencier').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: 'Le Pénitencier' }).waitFor();
    const volumes = strip(page, 'Les Thibault');
    await expect.poll(() => volumes.getByRole('listitem').count()).toBe(4);
    await volumes.getByText('Celui-ci').waitFor();
    await volumes.getByRole('link', { name: 'tome 3, ce volume manque' }).waitFor();
    await strip(page, `De ${AUTEUR}`).getByRole('link', { name: 'Vieille France' }).waitFor();
    expect(await accessibilityFaults(page, '/livres/[id]: its series and author')).toEqual([]);
    await volumes.getByRole('link', { name: 'Le Cahier gris' }).click();
    await page.getByRole('heading', { level: 1, name: 'Le Cahier gris' }).waitFor();
  }
});

test('the global search finds borrowers and publishers', async () => {
  const house = await household();
  await house.preter(await house.ajouter({ titre: 'Désert' }), 'Sophie Martin');
  await house.ajouter({ titre: 'Ru', editeur: 'Liana Levi' });
  const page = await (await device(house)).open();
  await livreRow(page, 'Ru').waitFor();
  const field = page.getByRole('searchbox', { name: 'Rechercher' });
  await field.fill('sophie');
  await page.getByRole('link', { name: 'Désert' }).waitFor();
  await field.fill('liana');
  await page.getByRole('link', { name: 'Liana Levi' }).click();
  await livreRow(page, 'Ru').waitFor();
  await field.fill('xkcdq');
  await page.getByText(/^Recherche dans les titres/).waitFor();
  expect(await page.getByRole('button', { name: 'Ajouter ce livre' }).count()).toBe(0);
  await field.fill('La Vouivre');
  await page.getByRole('button', { name: 'Ajouter ce livre' }).waitFor();
});

test('an Arabic title has its own direction in lists and on jackets', async () => {
  const house = await household();
  await house.ajouter({ titre: 'موسم الهجرة إلى الشمال', auteurs: ['الطيب صالح'] });
  await house.ajouter({ titre: 'Nana', auteurs: ['Émile Zola'] });
  const page = await (await device(house)).open('/');
  const directionsOf = (selector: string) =>
    livreList(page)
      .locator(selector)
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).direction));
  await livreRow(page, 'Nana').waitFor();
  await expect.poll(() => directionsOf('.jacket .titre')).toEqual(['ltr', 'rtl']);
  expect(await directionsOf('.jacket .auteurs')).toEqual(['ltr', 'rtl']);
  expect(await directionsOf('.row-title')).toEqual(['ltr', 'rtl']);
  expect(await directionsOf('.row-text > p:first-of-type')).toEqual(['ltr', 'rtl']);
});
