import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow, showAs } from './support/catalogue.ts';
import { hasCover, photo } from './support/covers.ts';
import { device, SIZES, type Device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

const RED = '#aa3322';

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
const books = (page: Page) => page.getByRole('list', { name: 'Livres' }).getByRole('listitem');

/** Thirty books as a wall of covers; every third has a cover. */
async function wall(): Promise<{ page: Page; titres: string[]; phone: Device }> {
  const house = await household();
  const titres = Array.from({ length: 30 }, (_, i) => `Livre ${String(i).padStart(2, '0')}`);
  const picture = await photo(RED);
  for (const [i, titre] of titres.entries()) {
    const { id } = await house.ajouter({ titre });
    if (i % 3 === 0) await house.photograph(`livres/${id}`, picture);
  }
  const phone = await device(house);
  const page = await phone.open();
  await livreRow(page, 'Livre 00').waitFor();
  await showAs(page, 'Couvertures');
  await page.locator('.wall').waitFor();
  expect(new URL(page.url()).searchParams.get('affichage')).toBe('couvertures');
  return { page, titres, phone };
}

test('the wall is walked by arrows, and found again', async () => {
  const { page, titres, phone } = await wall();
  await page.goto(`${phone.portal.url}/?recherche=Livre+29`);
  for (const [name, size] of Object.entries(SIZES)) {
    await page.setViewportSize(size);
    await page.locator('.wall').waitFor();
    await expect.poll(() => books(page).count(), { message: name }).toBe(1);
    await showAs(page, 'Liste');
    await page.locator('.wall').waitFor({ state: 'detached' });
    await showAs(page, 'Couvertures');
    await page.locator('.wall').waitFor();
    await page.goBack();
    await page.locator('.wall').waitFor({ state: 'detached' });
    await page.goForward();
  }

  for (const size of Object.values(SIZES)) {
    await page.setViewportSize(size);
    await follow(page, '/?affichage=couvertures');
    await page.locator('.wall').waitFor();
    expect(await accessibilityFaults(page, '/: the wall')).toEqual([]);
    await expect.poll(() => hasCover(livreRow(page, 'Livre 00'))).toBe(true);
    const tops = await books(page).evaluateAll((items) =>
      items.map((item) => Math.round(item.getBoundingClientRect().top)),
    );
    const columns = tops.filter((top) => top === tops[0]).length;
    expect(columns).toBeGreaterThan(2);
    await livreRow(page, 'Livre 00').getByRole('link').focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toBe(titres[1]);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe(titres[1 + columns]);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => focused(page)).toBe(titres[columns]);
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => focused(page)).toBe(titres[0]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/livres\/\d+\?.*affichage=couvertures/);
    await page.getByRole('heading', { level: 1, name: titres[0] ?? '' }).waitFor();
  }
});

test('the cover of a comic keeps its shape, and is drawn as wide as an album where there is none', async () => {
  const house = await household();
  const shapes = {
    manga: await photo(RED, 400, 600),
    album: await photo(RED, 450, 600),
    rien: null,
  };
  for (const [titre, picture] of Object.entries(shapes)) {
    const { id } = await house.ajouter({ titre, typeDocument: 'BandeDessinee' });
    if (picture !== null) await house.photograph(`livres/${id}`, picture);
  }
  const page = await (await device(house)).open();
  for (const [titre, ratio] of [
    ['manga', 2 / 3],
    ['album', 3 / 4],
    ['rien', 3 / 4],
  ] as const) {
    const box = await livreRow(page, titre).locator('.cover').boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1), titre).toBeCloseTo(ratio, 1);
  }
});
