import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { chezNous } from './support/catalogue.ts';
import { device, SIZES, useBrowserWith } from './support/device.ts';
import { everyScreen } from './support/every-screen.ts';
import { follow } from './support/follow.ts';
import type { Household } from './support/household.ts';
import { householdWithCatalogues } from './support/recherche.ts';

/** The browser's font size: twice the default. Media queries in `rem` follow it too. */
const TEXT_PX = 32;

useBrowserWith({ textPx: TEXT_PX });

/** A household with « Chez nous », a book being read, abandoned ones, and fields that the catalogues can fill. */
async function livedIn(house: Household): Promise<void> {
  for (let tome = 1; tome <= 24; tome++)
    await house.ajouter({ titre: `Le Tour du monde, tome ${tome}`, auteurs: ['Jules Verne'] });
  await house.ajouter({ titre: 'Les travailleurs de la mer', isbn: '9782948012017' });
  await house.ajouter({ titre: 'Un tout autre livre', isbn: '9782948012024' });
  const read = await house.ajouter({ titre: 'Mémoires d’Hadrien' });
  await house.setStatut(read, 'alice', 1);
  for (const titre of ['Ulysse', 'Sodome et Gomorrhe', 'Le Bruit et la Fureur'])
    await house.noter('alice', { titre, debut: '2026-03-01', abandon: true });
}

/** Texts that appear after the screen's heading, and were too wide. */
const LATE: Readonly<Record<string, string>> = {
  '/': 'Chez nous',
  '/importer/a-completer': '2 livres à compléter.',
  '/lectures': 'Abandonnés',
};

/** The faults of the page as shown. */
const faults = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    const body = sizeOf(document.body);
    const headings = [...document.querySelectorAll('h1')].filter(
      (heading) => heading.closest('.sr-only') === null && heading.checkVisibility(),
    );
    const small = headings.filter((heading) => sizeOf(heading) <= body);
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return [
      ...small.map((heading) => `a heading of ${String(sizeOf(heading))} px`),
      ...(scrollWidth > clientWidth ? wide : []).map(
        (element) =>
          `${element.tagName} ${element.getAttribute('class') ?? ''} ${element.textContent.trim().slice(0, 40)}`,
      ),
    ];
  });

test('at twice the browser’s own size of text nothing scrolls sideways, and headings stay the largest', async () => {
  const { house } = await householdWithCatalogues();
  await livedIn(house);
  const { routes } = await everyScreen(house, {
    titre: 'Le Guépard',
    numero: '12',
    auteur: 'Giuseppe Tomasi di Lampedusa',
    emprunteur: 'Tante Hélène',
    emplacement: 'Grande bibliothèque',
    theme: 'roman',
  });
  const page = await (await device(house)).open('/importer/a-completer');
  await page.getByRole('button', { name: 'Chercher ce qui manque' }).click();
  await page.getByText('2 livres à compléter.').waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('32px');
  const found: string[] = [];
  for (const { width, root } of [
    { width: SIZES.phone.width, root: '' },
    // The default font size in other browsers, on the narrowest phone.
    { width: 320, root: '50%' },
  ]) {
    await page.setViewportSize({ width, height: SIZES.phone.height });
    await page.evaluate((size) => (document.documentElement.style.fontSize = size), root);
    await chezNous(page);
    for (const route of routes) {
      await follow(page, route);
      const late = LATE[route];
      if (late !== undefined) await page.getByText(late, { exact: true }).waitFor();
      await page.evaluate(() => document.fonts.ready.then(() => null));
      found.push(...(await faults(page)).map((what) => `${route} at ${String(width)} px: ${what}`));
    }
  }
  expect(found).toEqual([]);
});

test('at twice the size of text the stars of a row leave its title whole', async () => {
  const { house } = await householdWithCatalogues();
  const { id: livreId } = await house.ajouter({ titre: 'Mémoires d’Hadrien' });
  await house.noter('alice', { livreId, fin: '2026-03-09', note: 10 });
  const page = await (await device(house)).open('/');
  await page.getByRole('img', { name: '5 étoiles' }).first().waitFor();
  const title = page.locator('.livre .row-title').filter({ hasText: 'Hadrien' });
  // A line more than it shows is 36 px high; the heights themselves are rounded.
  expect(await title.evaluate((link) => link.scrollHeight - link.clientHeight)).toBeLessThanOrEqual(
    1,
  );
});
