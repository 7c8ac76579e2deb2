import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { chezNous, livreRow } from './support/catalogue.ts';
import { ajouterEmplacement, rangerLivre } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household, type Household } from './support/household.ts';

const DAY_MS = 86_400_000;

/** Books on two shelves of a room, one that is being read, one lent for long. */
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

test('the house stands above its list: who reads, shelves, what to ask back, what is new, one at random', async () => {
  const house = await fullHouse();
  const reader = await device(house, { serviceWorker: true });
  const page = await reader.open();
  const place = await chezNous(page);
  const reading = place.getByRole('list', { name: 'Vous lisez' });
  await reading.getByRole('link', { name: 'Livre 03' }).waitFor();
  expect(await reading.innerText()).toMatch(/aujourd’hui/);
  const claim = place.getByRole('region', { name: 'À redemander' });
  expect(await claim.innerText()).toMatch(/1\s+Livre 04\s+Chez Sophie, \d\smois/);
  const news = place.getByRole('region', { name: 'Nouveau' });
  expect(await news.count()).toBe(0);
  expect(await accessibilityFaults(page, '/: news of the house')).toEqual([]);
  // Another one is drawn of those that nobody reads or has.
  const lot = place.getByRole('region', { name: 'Au hasard' });
  await lot.getByRole('link', { name: /^Livre/ }).waitFor();
  await lot.getByRole('button', { name: 'Un autre' }).click();
  await lot.getByRole('link', { name: /^Livre/ }).waitFor();
  // The fullest shelf is the first, and a press goes there.
  const shelves = place.getByRole('list', { name: 'Étagères' }).getByRole('link');
  expect(await shelves.allInnerTexts()).toEqual(['Grande bibliothèque', 'Étagère basse']);
  await shelves.first().click();
  await page.getByRole('heading', { level: 1, name: 'Grande bibliothèque' }).waitFor();
  await page.goBack();
  await place.waitFor();
  // Gone where one searches, there again behind it, without a network too.
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('Livre 0');
  await place.waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('');
  await place.waitFor();
  await page.waitForURL(({ search }) => search === '');
  await reader.untilOfflineReady(page);
  await reader.cutNetwork();
  await page.reload();
  await reading.getByRole('link', { name: 'Livre 03' }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await news.getByRole('link', { name: 'Livre 25' }).waitFor();
});

test('the house is folded for good to a line, and unfolded there', async () => {
  const page = await (await device(await fullHouse())).open();
  const place = await chezNous(page);
  const reading = place.getByRole('link', { name: 'Livre 03' });
  await reading.waitFor();
  await place.getByRole('button', { name: 'Replier « Chez nous »' }).click();
  await reading.waitFor({ state: 'detached' });
  await page.reload();
  const unfold = place.getByRole('button', { name: 'Déplier « Chez nous »' });
  await unfold.waitFor();
  expect(await unfold.getAttribute('aria-expanded')).toBe('false');
  expect(await reading.count()).toBe(0);
  await unfold.click();
  await reading.waitFor();
  await follow(page, '/souhaits');
  await page.getByRole('heading', { level: 1, name: 'Souhaits' }).waitFor();
  expect(await place.count()).toBe(0);
});

test('the list keeps its place while the house comes above it', async () => {
  const page = await (await device(await fullHouse())).open();
  const place = await chezNous(page);
  await page.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.includes('chez-nous-haut')),
  );
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

test('the house moves no list on a first visit: it comes with the next look at the list', async () => {
  const house = await fullHouse();
  const page = await (await device(house)).open();
  await livreRow(page, 'Livre 00').waitFor();
  await page.waitForLoadState('networkidle');
  const place = page.getByRole('region', { name: 'Chez nous' });
  expect(await place.count()).toBe(0);
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('Livre 0');
  await livreRow(page, 'Livre 10').waitFor({ state: 'detached' });
  await page.getByRole('searchbox', { name: 'Rechercher' }).fill('');
  await place.waitFor();

  // A second visit keeps its room from the first moment.
  const other = await (await device(house)).open();
  await livreRow(other, 'Livre 00').waitFor();
  await other.waitForFunction(() =>
    Object.keys(localStorage).some(
      (key) => key.includes('chez-nous-haut') && /:[1-9]/.test(localStorage.getItem(key) ?? ''),
    ),
  );
  expect(await other.getByRole('region', { name: 'Chez nous' }).count()).toBe(0);
  await other.reload();
  await other.getByRole('region', { name: 'Chez nous' }).waitFor();
});
