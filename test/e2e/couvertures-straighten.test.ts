import type { Locator, Page } from 'playwright';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Corners, Size } from '../../src/lib/couvertures/straighten/corners.ts';
import {
  drawPhoto,
  seenCorners,
  worstCorner,
  type Scene,
} from '../couvertures-device/cover-photo.ts';
import { accessibilityFaults } from './support/accessibility.ts';
import { coverSheet, openCover, photo } from './support/covers.ts';
import { device } from './support/device.ts';
import { household, type Household } from './support/household.ts';

const WOOD: Scene = {
  table: [150, 105, 70],
  cover: [40, 70, 120],
  ink: [230, 220, 200],
  noise: 12,
  grain: 10,
  hasShadow: true,
};
const SIZE = { width: 900, height: 1200 };
const POSE = { turn: -14, tiltX: 18, tiltY: 9, scale: 0.62 };

const rawOf = (size: Size, corners: Corners | null, scene: Scene) => {
  const { data, width, height } = drawPhoto(size, corners, scene);
  return sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
};

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const frameOf = (page: Page) => page.getByRole('dialog', { name: 'Cadrer la couverture' });
const straightened = (page: Page) => frameOf(page).getByRole('checkbox', { name: 'Redresser' });

async function choose(page: Page, buffer: Buffer): Promise<void> {
  await openCover(page);
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Choisir une image').click();
  await (await chooser).setFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
  await straightened(page).waitFor();
}

/** The positions of the four handles, in pixels of a picture of this size. */
async function shownCorners(page: Page, { width, height }: Size): Promise<Corners> {
  const places = await frameOf(page)
    .getByRole('button', { name: /^Coin / })
    .evaluateAll((handles) =>
      handles.map((handle) => {
        const { left, top } = (handle as HTMLElement).style;
        return { x: Number.parseFloat(left) / 100, y: Number.parseFloat(top) / 100 };
      }),
    );
  const [a, b, c, d] = places.map(({ x, y }) => ({ x: x * width, y: y * height }));
  if (!a || !b || !c || !d) throw new Error('there are not four corners');
  return [a, b, c, d];
}

const keptShape = async (house: Household, id: number) => {
  const response = await fetch(`${house.url}/api/livres/${String(id)}`);
  const { couverture } = (await response.json()) as {
    couverture: { largeur: number; hauteur: number };
  };
  return couverture.largeur / couverture.hauteur;
};

async function opened(size: 'desk' | 'phone' = 'desk') {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const phone = await device(house, { size });
  return { house, livre, phone, page: await phone.open(`/livres/${livre.id}`) };
}

const isCenterNear = async (handle: Locator, x: number, y: number) => {
  const box = await handle.boundingBox();
  if (box === null) return false;
  return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y) < 3;
};

test('the corners of a photographed cover are found, and moved by a pointer and by keys', async () => {
  const { house, livre, page } = await opened();
  const truth = seenCorners(0.7, SIZE, POSE);
  await choose(page, await rawOf(SIZE, truth, WOOD).jpeg({ quality: 85 }).toBuffer());
  await expect.poll(() => straightened(page).isChecked()).toBe(true);
  expect(worstCorner(await shownCorners(page, SIZE), truth, SIZE)).toBeLessThan(0.01);
  expect(await accessibilityFaults(page, '/livres/[id]: the corners of a cover')).toEqual([]);

  const handle = frameOf(page).getByRole('button', { name: /^Coin en haut à gauche/ });
  const before = await handle.boundingBox();
  if (before === null) throw new Error('the corner is not shown');
  const [x, y] = [before.x + before.width / 2, before.y + before.height / 2];
  await page.mouse.move(x + 4, y + 4);
  await page.mouse.down();
  await page.mouse.move(x - 16, y - 6, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => isCenterNear(handle, x - 20, y - 10)).toBe(true);
  await handle.focus();
  const [start] = await shownCorners(page, SIZE);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  const [moved] = await shownCorners(page, SIZE);
  expect(Math.round(moved.x - start.x)).toBe(12);
  expect(Math.round(moved.y - start.y)).toBe(12);
  // The handle stops before the corners could no longer be those of a rectangle in perspective.
  for (let press = 0; press < 120; press++) await page.keyboard.press('ArrowRight');
  const [a, b] = await shownCorners(page, SIZE);
  expect(a.x).toBeLessThanOrEqual(b.x + 12);

  await straightened(page).uncheck();
  await frameOf(page).getByRole('application', { name: 'Image à cadrer' }).waitFor();
  await straightened(page).check();
  await frameOf(page).getByRole('button', { name: 'Annuler' }).click();
  await choose(page, await rawOf(SIZE, truth, WOOD).jpeg({ quality: 85 }).toBuffer());
  await expect.poll(() => straightened(page).isChecked()).toBe(true);
  await button(page, 'Enregistrer').click();
  await coverSheet(page).waitFor({ state: 'detached' });
  // The cover keeps its own proportions, which the slanted picture does not show.
  expect(Math.abs((await keptShape(house, livre.id)) / 0.7 - 1)).toBeLessThan(0.05);
});

test('dark on dark, lying on its side by its EXIF, and turned by hand: its corners stay on it', async () => {
  const { page } = await opened('phone');
  const dark: Scene = {
    table: [32, 30, 29],
    cover: [46, 43, 48],
    ink: [80, 74, 66],
    noise: 6,
  };
  const truth = seenCorners(0.66, SIZE, { turn: 8, tiltX: 12, tiltY: -8, scale: 0.6 });
  // As a phone stores it: rotated by 90°, with an EXIF orientation.
  const upright = await rawOf(SIZE, truth, dark).rotate(-90).toBuffer({ resolveWithObject: true });
  const { width, height } = upright.info;
  const buffer = await sharp(upright.data, { raw: { width, height, channels: 3 } })
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 92 })
    .toBuffer();
  await choose(page, buffer);
  await expect.poll(() => straightened(page).isChecked()).toBe(true);
  expect(worstCorner(await shownCorners(page, SIZE), truth, SIZE)).toBeLessThan(0.015);
  const image = frameOf(page).locator('img');
  const shown = await image.getAttribute('src');
  await button(page, 'Tourner à droite').click();
  await expect.poll(() => image.getAttribute('src')).not.toBe(shown);
  const turned = { width: SIZE.height, height: SIZE.width };
  const expected = truth.map(({ x, y }) => ({ x: SIZE.height - y, y: x }));
  const [a, b, c, d] = expected;
  if (!a || !b || !c || !d) throw new Error('there are not four corners');
  expect(worstCorner(await shownCorners(page, turned), [a, b, c, d], turned)).toBeLessThan(0.015);
});

test('a picture without a clear cover is not cut, and its corners can be placed', async () => {
  const { house, livre, page } = await opened();
  const pictures = [
    await rawOf(SIZE, null, WOOD).jpeg().toBuffer(),
    await photo('#aa3322', 1, 1),
    await photo('#aa3322', 300, 400),
  ];
  for (const buffer of pictures) {
    await choose(page, buffer);
    expect(await straightened(page).isChecked()).toBe(false);
    await frameOf(page)
      .getByText(/^Couverture non reconnue\./)
      .waitFor();
    await straightened(page).check();
    const size = { width: 100, height: 100 };
    expect(await shownCorners(page, size)).toEqual([
      { x: 0, y: 0 },
      { x: 100, y: 0 },
      { x: 100, y: 100 },
      { x: 0, y: 100 },
    ]);
    await frameOf(page).getByRole('button', { name: 'Annuler' }).click();
    await frameOf(page).waitFor({ state: 'detached' });
  }
  await choose(page, await photo('#aa3322', 300, 400));
  await straightened(page).check();
  await button(page, 'Enregistrer').click();
  await coverSheet(page).waitFor({ state: 'detached' });
  expect(await keptShape(house, livre.id)).toBeCloseTo(0.75, 1);
});

test('twelve megapixels on a slow phone: the screen answers while the cover is looked for and straightened', async () => {
  const { house, livre, page } = await opened('phone');
  const truth = seenCorners(0.66, SIZE, POSE);
  const buffer = await rawOf(SIZE, truth, WOOD).resize(3000, 4000).jpeg({ quality: 85 }).toBuffer();
  const slow = await page.context().newCDPSession(page);
  await slow.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  await choose(page, buffer);
  await expect.poll(() => straightened(page).isChecked()).toBe(true);
  expect(worstCorner(await shownCorners(page, SIZE), truth, SIZE)).toBeLessThan(0.01);
  await button(page, 'Enregistrer').click();
  await coverSheet(page).waitFor({ state: 'detached' });
  expect(Math.abs((await keptShape(house, livre.id)) / 0.66 - 1)).toBeLessThan(0.05);
});
