import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { chezNous, livreRow } from './support/catalogue.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

const DAY_MS = 86_400_000;

/** Books on two shelves, one of them being read, another lent for a long time. */
async function fullHouse(): Promise<Household> {
  const house = await household();
  const salon = await ajouterEmplacement(house, { nom: 'Salon', parentId: null });
  const wall = await ajouterEmplacement(house, { nom: 'Grande bibliothèque', parentId: salon.id });
  const low = await ajouterEmplacement(house, { nom: 'Étagère basse', parentId: salon.id });
  for (let i = 0; i < 26; i++) {
    const livre = await house.ajouter({ titre: `Livre ${String(i).padStart(2, '0')}` });
    if (i === 3) await house.setStatut(livre, 'alice', 1);
    if (i === 4) {
      const pret = await house.preter(livre, 'Sophie');
      const datePret = new Date(Date.now() - 150 * DAY_MS).toISOString();
      await house.corriger({ ...pret, datePret }, 'Sophie');
    }
    if (i < 20) await rangerLivre(house, livre.id, i < 14 ? wall.id : low.id);
  }
  return house;
}

test('« Chez nous » is one row above the list: readings, shelves, late loans, new books, a random one', async () => {
  const house = await fullHouse();
  const reader = await device(house, { serviceWorker: true });
  const page = await reader.open();
  const place = await chezNous(page);
  const reading = place.getByRole('list', { name: 'En cours' });
  await reading.getByRole('link', { name: 'Livre 03' }).waitFor();
  expect(await accessibilityFaults(page, '/: news of the house')).toEqual([]);
  await place
    .getByRole('group', { name: 'Nouveau' })
    .getByRole('link', { name: 'Livre 25' })
    .waitFor();
  // « Chez nous » leaves room for the first rows, and cuts off no title.
  const box = (await place.boundingBox()) ?? { height: NaN };
  expect(box.height).toBeLessThanOrEqual(150);
  const cut = await place.evaluate((one) =>
    [...one.querySelectorAll('p, .caption')]
      .filter((text) => text.scrollWidth > text.clientWidth)
      .map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
  const fourth = (await livreRow(page, 'Livre 03').boundingBox()) ?? { y: NaN };
  expect(fourth.y).toBeLessThan(740);
  // The fullest shelf is the first; its link opens the shelf.
  const shelves = place.getByRole('link', { name: / · \d+$/ });
  expect(await shelves.allInnerTexts()).toEqual(['Grande bibliothèque · 14', 'Étagère basse · 6']);
  await shelves.first().click();
  await page.getByRole('heading', { level: 1, name: 'Grande bibliothèque' }).waitFor();
  await page.goBack();
  await place.getByRole('link', { name: /^À redemander/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Prêts' }).waitFor();
  await page.goBack();
  await place.waitFor();
  // Hidden during a search, shown again after it, also offline.
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('Livre 0');
  await place.waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('');
  await place.waitFor();
  await page.waitForURL(({ search }) => search === '');
  await reader.untilOfflineReady(page);
  await reader.cutNetwork();
  await page.reload();
  await reading.getByRole('link', { name: 'Livre 03' }).waitFor();
});

test('the book at random stays until another one is asked for, over visits and starts', async () => {
  const page = await (await device(await fullHouse())).open();
  const place = await chezNous(page);
  const drawn = place.getByRole('group', { name: 'Au hasard' }).getByRole('link');
  const first = await drawn.innerText();
  expect(first).toMatch(/^Livre/);
  await follow(page, '/souhaits');
  await follow(page, '/');
  expect(await drawn.innerText()).toBe(first);
  await page.reload();
  expect(await drawn.innerText()).toBe(first);
  await place.getByRole('button', { name: 'Un autre' }).click();
  await expect.poll(() => drawn.innerText()).not.toBe(first);
  const second = await drawn.innerText();
  await page.reload();
  expect(await drawn.innerText()).toBe(second);
});

test('« Chez nous » shows books added one by one as new, but not imported ones', async () => {
  const house = await fullHouse();
  const csv = ['Titre', ...Array.from({ length: 40 }, (_, i) => `Importé ${String(i)}`)].join('\n');
  const imported = await fetch(`${house.url}/api/importations?essai=false`, {
    method: 'POST',
    headers: { SSO_USER: 'alice', 'Content-Type': 'text/csv' },
    body: csv,
  });
  expect(imported.status).toBe(201);
  const page = await (await device(house)).open();
  const place = await chezNous(page);
  const news = place.getByRole('group', { name: 'Nouveau' }).getByRole('link');
  expect(await news.innerText()).toBe('Livre 25');
  await house.ajouter({ titre: 'Venu seul' });
  await expect.poll(() => news.innerText()).toBe('Venu seul');
});

test('« Chez nous » stays folded, and is unfolded beside the count', async () => {
  const page = await (await device(await fullHouse())).open();
  const place = await chezNous(page);
  const reading = place.getByRole('link', { name: 'Livre 03' });
  await reading.waitFor();
  const before = (await livreRow(page, 'Livre 00').boundingBox()) ?? { y: NaN };
  await page.getByRole('button', { name: 'Replier « Chez nous »' }).click();
  await place.waitFor({ state: 'detached' });
  const after = (await livreRow(page, 'Livre 00').boundingBox()) ?? { y: NaN };
  expect(before.y - after.y).toBeGreaterThan(100);
  await page.reload();
  const unfold = page.getByRole('button', { name: 'Déplier « Chez nous »' });
  await unfold.waitFor();
  expect(await unfold.getAttribute('aria-expanded')).toBe('false');
  expect(await place.count()).toBe(0);
  await unfold.click();
  await reading.waitFor();
  await follow(page, '/souhaits');
  await page.getByRole('heading', { level: 1, name: 'Souhaits' }).waitFor();
  expect(await place.count()).toBe(0);
  expect(await unfold.count()).toBe(0);
});

test('« Chez nous » appears in a browser that is never idle', async () => {
  const page = await (await device(await fullHouse())).open();
  const place = await chezNous(page);
  await page.addInitScript(() => {
    globalThis.requestIdleCallback = (work, options) =>
      options?.timeout === undefined
        ? 0
        : Number(
            setTimeout(() => work({ didTimeout: true, timeRemaining: () => 0 }), options.timeout),
          );
  });
  await page.reload();
  await place.getByRole('link', { name: 'Livre 03' }).waitFor();
});

test('the list keeps its place when « Chez nous » appears above it', async () => {
  const page = await (await device(await fullHouse())).open();
  const place = await chezNous(page);
  await page.addInitScript(() => {
    const tops = new Set<number>();
    Reflect.set(globalThis, 'tops', tops);
    const look = () => {
      const first = document.querySelector('.books a[href*="/livres/"]');
      if (first !== null && scrollY === 0) tops.add(Math.round(first.getBoundingClientRect().top));
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.reload();
  await place.waitFor();
  await livreRow(page, 'Livre 00').waitFor({ state: 'attached' });
  const tops = await page.evaluate(() => [...(Reflect.get(globalThis, 'tops') as Set<number>)]);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1);
});

test('« Chez nous » does not move the list at a first start: it appears at the next visit', async () => {
  const house = await fullHouse();
  const page = await (await device(house)).open();
  const noted = (of: Page) =>
    of.waitForFunction(() =>
      Object.keys(localStorage).some(
        (key) => key.includes('chez-nous-room') && localStorage.getItem(key) === 'true',
      ),
    );
  await livreRow(page, 'Livre 00').waitFor();
  await noted(page);
  const place = page.getByRole('region', { name: 'Chez nous' });
  expect(await place.count()).toBe(0);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('Livre 0');
  await livreRow(page, 'Livre 10').waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('');
  await place.waitFor();

  const other = await (await device(house)).open();
  await livreRow(other, 'Livre 00').waitFor();
  await noted(other);
  expect(await other.getByRole('region', { name: 'Chez nous' }).count()).toBe(0);
  await other.reload();
  await other.getByRole('region', { name: 'Chez nous' }).waitFor();
});

test('« Chez nous » takes no room without enough to show', async () => {
  const house = await household();
  for (let i = 0; i < 26; i++) {
    const livre = await house.ajouter({ titre: `Livre ${String(i).padStart(2, '0')}` });
    await house.setStatut(livre, 'alice', 2);
  }
  const page = await (await device(house)).open();
  await livreRow(page, 'Livre 00').waitFor();
  await page.waitForFunction(() =>
    Object.keys(localStorage).some(
      (key) => key.includes('chez-nous-room') && localStorage.getItem(key) === 'false',
    ),
  );
  await page.reload();
  await livreRow(page, 'Livre 00').waitFor();
  expect(await page.getByRole('region', { name: 'Chez nous' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: /« Chez nous »/ }).count()).toBe(0);
});
