import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { resize } from './support/accessibility.ts';
import { device, SIZES } from './support/device.ts';
import { household, type Household } from './support/household.ts';
import { handleOf, souhaitRow } from './support/souhaits.ts';

const COUNT = 30;
const titreOf = (rang: number) => `Souhait ${String(rang)}`;

async function houseWithLongList(): Promise<Household> {
  const house = await household();
  for (let rang = 1; rang <= COUNT; rang++)
    await house.souhaiter('alice', { titre: titreOf(rang) });
  return house;
}

async function middleOf(page: Page, titre: string): Promise<{ x: number; y: number }> {
  const box = await handleOf(page, titre).boundingBox();
  if (box === null) throw new Error(`« ${titre} » is not in sight`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const scrollY = (page: Page) => page.evaluate(() => window.scrollY);

/** The title of the row above the dragged one, by position on the screen. */
const seenAbove = (page: Page, titre: string) =>
  page
    .getByRole('list', { name: 'Livres' })
    .getByRole('listitem')
    .evaluateAll((rows, held) => {
      const seen = rows
        .map((row) => ({
          label: row.getAttribute('aria-label'),
          y: row.getBoundingClientRect().top,
        }))
        .sort((a, b) => a.y - b.y)
        .map(({ label }) => label);
      return seen[seen.indexOf(held) - 1] ?? null;
    }, titre);

/** Drops the dragged row while the page is still, and checks its place. */
async function expectDropWhereShown(
  house: Household,
  page: Page,
  titre: string,
  drop: () => unknown,
) {
  const above = await seenAbove(page, titre);
  await drop();
  await expect
    .poll(async () => {
      const titres = await house.souhaits('alice');
      return titres[titres.indexOf(titre) - 1] ?? null;
    })
    .toBe(above);
  await expect.poll(() => seenAbove(page, titre)).toBe(above);
}

test('a dragged wish drops where it is shown', async () => {
  const house = await houseWithLongList();
  const reader = await device(house, { size: 'desk' });
  const page = await reader.open('/souhaits');
  await souhaitRow(page, titreOf(COUNT)).waitFor();
  const { x, y } = await middleOf(page, titreOf(2));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 200, { steps: 8 });
  await expect.poll(() => seenAbove(page, titreOf(2))).not.toBe(titreOf(1));
  await page.keyboard.press('Escape');
  await expect.poll(() => seenAbove(page, titreOf(2))).toBe(titreOf(1));
  await page.mouse.up();
  expect((await house.souhaits('alice')).indexOf(titreOf(2))).toBe(1);

  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, 790, { steps: 8 });
  await expect.poll(() => seenAbove(page, titreOf(2)), { timeout: 30_000 }).toBe(titreOf(COUNT));
  expect(await scrollY(page)).toBeGreaterThan(500);
  // Up again, by as many rows as fit between the edges.
  await page.mouse.move(x, 400, { steps: 8 });
  await expectDropWhereShown(house, page, titreOf(2), () => page.mouse.up());
  expect((await house.souhaits('alice')).indexOf(titreOf(2))).toBeGreaterThan(10);

  await resize(page, SIZES.phone);
  await page.evaluate(() => scrollTo(0, 0));
  await expect.poll(() => scrollY(page)).toBe(0);
  await expect.poll(() => seenAbove(page, titreOf(4))).toBe(titreOf(3));
  const start = await middleOf(page, titreOf(4));
  const session = await reader.context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: readonly number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((top) => ({ x: start.x, y: top })),
    });
  const moveTo = async (from: number, to: number) => {
    for (let step = 1; step <= 8; step++)
      await touch('touchMove', [from + ((to - from) * step) / 8]);
  };
  await touch('touchStart', [start.y]);
  await moveTo(start.y, 700);
  await expect.poll(() => scrollY(page)).toBeGreaterThan(600);
  await moveTo(700, 20);
  await expect.poll(() => seenAbove(page, titreOf(4)), { timeout: 30_000 }).toBe(null);
  await expect.poll(() => scrollY(page)).toBe(0);
  await expectDropWhereShown(house, page, titreOf(4), () => touch('touchEnd', []));
  expect((await house.souhaits('alice'))[0]).toBe(titreOf(4));
});
