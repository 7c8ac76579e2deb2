import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { ajouterEmplacement, ajouterSerie, rangerLivre } from './support/collections.ts';
import { acceptInvitation, householdWithAccounts } from './support/comptes.ts';
import { startSelection } from './support/selection.ts';
import { device, SIZES } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

/** A household with rows in every list; each title and name fits on one line. */
async function furnished(): Promise<Household> {
  const house = await household();
  for (const letter of 'ABCDEF') {
    const livre = await house.ajouter({ titre: `Tome ${letter}`, auteurs: [`Nom ${letter}`] });
    await house.preter(livre, 'Sophie');
    await house.souhaiter('alice', { titre: `Vœu ${letter}`, auteur: 'Neige Sinno' });
    await house.ajouterNumero(`Revue ${letter}`, '1');
    await ajouterSerie(house, {
      titre: `Cycle ${letter}`,
      places: [{ titre: `Tome ${letter}`, numero: '1', livreId: livre.id }],
    });
  }
  return house;
}

const LISTS = ['/', '/auteurs', '/prets', '/souhaits', '/series', '/revues'] as const;

/** Lists whose rows show covers beside the name on a desk. */
const SHELVES: readonly string[] = ['/auteurs', '/series', '/revues'];

/** The expected height of a list's rows, in pixels. */
function heightOf(path: (typeof LISTS)[number], width: number): number {
  if (SHELVES.includes(path) && width >= SIZES.desk.width) return 116;
  return { '/': 92, '/auteurs': 56 }[path as string] ?? 84;
}

async function show(page: Page, path: string) {
  await follow(page, path);
  await page.locator('main .row').first().waitFor();
  await page.evaluate(() => document.fonts.ready.then(() => null));
}

/** The left edges and heights of a screen's rows, in pixels, without duplicates. */
const grid = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('main .row')].map((row) =>
      row.getBoundingClientRect(),
    );
    const main = document.querySelector('main')?.getBoundingClientRect().left ?? 0;
    const unique = (values: readonly number[]) => [...new Set(values.map(Math.round))].sort();
    const first = Math.min(...rows.map(({ left }) => left));
    return {
      // A wide window has columns.
      edges: unique(
        rows.map(({ left }) => left - main).filter((edge) => edge < first - main + 200),
      ),
      heights: unique(rows.map(({ height }) => height)),
    };
  });

/** The number of titles that are entirely above the bar or the tabs. */
const readable = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const foot = document.querySelector('.selection-bar') ?? document.querySelector('.tab-bar');
    const bottom = foot?.getBoundingClientRect().top ?? innerHeight;
    return [...document.querySelectorAll('main .row .row-title')].filter(
      (title) => title.getBoundingClientRect().bottom <= bottom,
    ).length;
  });

/** The number of rows that are entirely above the tabs. */
const wholeRows = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const bottom = document.querySelector('.tab-bar')?.getBoundingClientRect().top ?? innerHeight;
    return [...document.querySelectorAll('main .row')].filter(
      (row) => row.getBoundingClientRect().bottom <= bottom,
    ).length;
  });

/** Words that are broken across lines without a hyphen of their own. */
const broken = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent ?? '';
      if (node.parentElement?.checkVisibility() !== true) continue;
      if (node.parentElement.closest('.sr-only, script, style, [aria-hidden]') !== null) continue;
      for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]{2,}/gu)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (tops.size > 1) found.push(word);
      }
    }
    return found;
  });

test('all lists share one grid in every size', async () => {
  const page = await (await device(await furnished())).open();
  // All lists share one left edge and two row heights.
  for (const size of [...Object.values(SIZES), { width: 768, height: 1024 }]) {
    await page.setViewportSize(size);
    const edges = new Set<number>();
    for (const path of LISTS) {
      await show(page, path);
      const found = await grid(page);
      const where = `${path} at ${size.width} px`;
      // On a desk, a borrower's books are indented beside the name.
      if (path !== '/prets' || size.width < SIZES.desk.width) edges.add(found.edges[0] ?? -1);
      expect(found.edges.length, where).toBe(1);
      expect(found.heights, where).toEqual([heightOf(path, size.width)]);
    }
    expect([...edges]).toHaveLength(1);
  }

  // Some rows are readable, in a selection too, and no word is broken.
  await page.setViewportSize(SIZES.phone);
  for (const path of LISTS) {
    await show(page, path);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    // A borrower's heading takes room, and so does each book's « Rendu ».
    expect(await readable(page), path).toBeGreaterThanOrEqual(path === '/prets' ? 2 : 3);
    expect(await broken(page), path).toEqual([]);
  }
  await show(page, '/');
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  await startSelection(page);
  await page.getByRole('region', { name: 'Actions sur la sélection' }).waitFor();
  expect(await readable(page), 'in a selection').toBeGreaterThanOrEqual(2);
  expect(await broken(page), 'in a selection').toEqual([]);
  for (const path of ['/modifications', '/livres/ajouter', '/importer', '/reglages']) {
    await follow(page, path);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    expect(await broken(page), path).toEqual([]);
  }
});

test('two modifications are entirely visible at twice the text size', async () => {
  const house = await household();
  for (let rang = 1; rang <= 4; rang++)
    await house.souhaiter('alice', { titre: `La Couleur des choses perdues, tome ${rang}` });
  for (let tome = 1; tome <= 3; tome++) {
    const livre = await house.ajouter({ titre: `Les Aventures extraordinaires, tome ${tome}` });
    await house.preter(livre, 'Tante Hélène');
  }
  const page = await (await device(house)).open();
  await show(page, '/modifications');
  await page.getByRole('combobox', { name: 'Personne' }).waitFor();
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  expect(await wholeRows(page)).toBeGreaterThanOrEqual(2);
});

/** Controls narrower than their text, and words of headings broken across lines. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const controls = [...document.querySelectorAll('main :is(a, button):not(:has(svg))')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
      .filter((one) => getComputedStyle(one).display !== 'inline');
    const words = [...document.querySelectorAll('main :is(h1, h2), dialog[open] h2')].flatMap(
      (heading) => {
        const [text] = heading.childNodes;
        if (!(text instanceof Text)) return [];
        return [...text.data.matchAll(/\p{L}+/gu)].filter(({ index, 0: word }) => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
        });
      },
    );
    return [
      ...controls.map(({ textContent }) => textContent.trim()),
      ...words.map(([word]) => word),
    ];
  });

/** The narrowest phone, with the largest text size of « Réglages ». */
async function enlarge(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => localStorage.setItem('rayonnage.taille', '"130"'));
  await page.reload();
}

test('the largest text breaks no word on a small phone', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Le Guépard' });
  await house.preter(livre, 'Marie-Antoinette de la Rochefoucauld-Montmorency');
  await house.souhaiter('alice', { titre: 'Le Vieux qui ne voulait pas fêter son anniversaire' });
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  await rangerLivre(house, livre.id, salon.id);
  const page = await (await device(house)).open();
  await enlarge(page);
  for (const [path, shown] of [
    ['/rangement', 'Salon'],
    ['/prets', 'Marie-Antoinette de la Rochefoucauld-Montmorency'],
  ] as const) {
    await follow(page, path);
    await page.getByRole('heading', { name: shown }).waitFor();
    expect(await brokenWords(page), path).toEqual([]);
  }
  await follow(page, '/souhaits');
  await page.getByRole('button', { name: /^Le Vieux/ }).click();
  await page.getByRole('dialog').getByRole('heading').waitFor();
  expect(await brokenWords(page)).toEqual([]);
  const cover = await page.getByRole('dialog').locator('.cover').boundingBox();
  expect(cover?.y).toBeLessThan(160);
});

test('a long name is entirely visible on « Mon compte »', async () => {
  const house = await householdWithAccounts();
  const page = await (await device(house, { user: null })).open(house.firstPath);
  await acceptInvitation(page, 'Marie-Antoinette de la Rochefoucauld-Montmorency');
  await enlarge(page);
  await follow(page, '/reglages/compte');
  await page.getByRole('heading', { name: 'Marie-Antoinette' }).waitFor();
  expect(await brokenWords(page)).toEqual([]);
});
