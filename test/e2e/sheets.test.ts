import type { Locator, Page } from 'playwright';
import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

/** Drags a sheet down by its handle, by a share of its height. */
async function drag(page: Page, sheet: Locator, share: number): Promise<void> {
  const box = await sheet.boundingBox();
  if (box === null) throw new Error('no sheet');
  const [x, y] = [box.x + 60, box.y + 30];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + share * box.height, { steps: 4 });
  await page.mouse.up();
}

const topOf = async (sheet: Locator) => (await sheet.boundingBox())?.y;

test('a sheet dragged beyond a third closes', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Antigone' });
  await house.ajouter({ titre: 'Regain', format: 'Numerique' });
  const page = await (await device(house)).open();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const sheets = [
    { open: () => button('Menu').click(), name: 'Menu', focusAfter: 'Menu' },
    { open: () => button('Filtres').click(), name: 'Filtres', focusAfter: 'Filtres' },
    {
      open: () => page.keyboard.press('?'),
      name: 'Raccourcis du clavier',
      focusAfter: 'Filtres',
    },
  ];
  await page.getByRole('link', { name: 'Antigone' }).waitFor();
  for (const { open, name, focusAfter } of sheets) {
    const sheet = page.getByRole('dialog', { name });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open();
    await sheet.waitFor();
    const top = await topOf(sheet);
    await drag(page, sheet, 0.6);
    expect(await topOf(sheet), name).toBe(top);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await drag(page, sheet, 0.2);
    await expect.poll(() => topOf(sheet), { message: name }).toBe(top);
    expect(await sheet.isVisible(), name).toBe(true);
    await drag(page, sheet, 0.6);
    await sheet.waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page), { message: name }).toEqual(focusAfter);
  }
});

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent.trim());
