import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { livreRow } from './support/catalogue.ts';
import { hasCover, photo } from './support/covers.ts';
import { device, type Device } from './support/device.ts';
import { household } from './support/household.ts';

const RED = '#aa3322';

describe.each(['phone', 'desk'] as const)('the wall, %s', (size) => {
  /** A wall of thirty books, A to Z and beyond; every third has a cover. */
  async function wall(): Promise<{ page: Page; titres: string[]; phone: Device }> {
    const house = await household();
    const titres = Array.from({ length: 30 }, (_, i) => `Livre ${String(i).padStart(2, '0')}`);
    for (const [i, titre] of titres.entries()) {
      const { id } = await house.ajouter({ titre });
      if (i % 3 === 0) await house.photograph(`livres/${id}`, await photo(RED, 400, 600 + i));
    }
    const phone = await device(house, { size });
    const page = await phone.open();
    await livreRow(page, 'Livre 00').waitFor();
    const group = page.getByRole('group', { name: 'Affichage' });
    await group.getByRole('radio', { name: 'Couvertures' }).check();
    await page.locator('.wall').waitFor();
    return { page, titres, phone };
  }

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

  test('is walked by the arrows in both directions, and Enter opens a book', async () => {
    const { page, titres } = await wall();
    expect(await accessibilityFaults(page)).toEqual([]);
    await expect.poll(() => hasCover(livreRow(page, 'Livre 00'))).toBe(true);
    const tops = await page
      .getByRole('list', { name: 'Livres' })
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().top)));
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
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toBe(titres.at(-1));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/livres\/\d+\?.*affichage=couvertures/);
    await page.getByRole('heading', { level: 1, name: titres.at(-1) ?? '' }).waitFor();
  });

  test('is found again on the same device, with its search', async () => {
    const { page, phone } = await wall();
    expect(new URL(page.url()).searchParams.get('affichage')).toBe('couvertures');
    await page.goto(`${phone.portal.url}/?recherche=Livre+29`);
    await page.locator('.wall').waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Livres' }).getByRole('listitem').count())
      .toBe(1);
    const group = page.getByRole('group', { name: 'Affichage' });
    await group.getByRole('radio', { name: 'Liste' }).check();
    await page.locator('.wall').waitFor({ state: 'detached' });
    await group.getByRole('radio', { name: 'Couvertures' }).check();
    await page.locator('.wall').waitFor();
    await page.goBack();
    await page.locator('.wall').waitFor({ state: 'detached' });
  });
});
