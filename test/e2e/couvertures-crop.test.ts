import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { coverSheet, hasCover, openCover, photo } from './support/covers.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a picture turns as often as that was pressed', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house, { size: 'desk' })).open(`/livres/${livre.id}`);
  await openCover(page);
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Choisir une image').click();
  const buffer = await photo('#aa3322', 300, 400);
  await (await chooser).setFiles({ name: 'debout.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('button', { name: 'Enregistrer', disabled: false }).waitFor();
  const image = page.getByRole('dialog', { name: 'Cadrer la couverture' }).locator('img');
  const first = await image.getAttribute('src');
  await button(page, 'Tourner à droite').evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
  await expect
    .poll(() =>
      image.evaluate(
        ({ src, naturalWidth, naturalHeight }: HTMLImageElement, before) =>
          src !== before && naturalWidth > 0 && naturalWidth < naturalHeight,
        first,
      ),
    )
    .toBe(true);
  await button(page, 'Enregistrer').click();
  await coverSheet(page).waitFor({ state: 'detached' });
});

test('a turn that fails is said, and the picture can be sent as it is', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house, { size: 'desk' })).open(`/livres/${livre.id}`);
  await page.evaluate(() => {
    const kept = new Set<string>();
    const create = URL.createObjectURL.bind(URL);
    const revoke = URL.revokeObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      const url = create(blob);
      kept.add(url);
      document.documentElement.dataset['urls'] = String(kept.size);
      return url;
    };
    URL.revokeObjectURL = (url) => {
      revoke(url);
      kept.delete(url);
      document.documentElement.dataset['urls'] = String(kept.size);
    };
  });
  const urls = () => page.evaluate(() => document.documentElement.dataset['urls']);
  const choose = async () => {
    await openCover(page);
    const chooser = page.waitForEvent('filechooser');
    await button(page, 'Choisir une image').click();
    const buffer = await photo('#aa3322', 300, 400);
    await (await chooser).setFiles({ name: 'IMG_1.heic', mimeType: 'image/heic', buffer });
    await page.getByRole('button', { name: 'Enregistrer', disabled: false }).waitFor();
  };
  await choose();
  await page.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'toBlob') ?? {};
    HTMLCanvasElement.prototype.toBlob = (callback) => {
      Object.defineProperty(HTMLCanvasElement.prototype, 'toBlob', own);
      callback(null);
    };
  });
  await button(page, 'Tourner à droite').click();
  await page.getByRole('alert').getByText('L’image n’a pas pu être tournée.').waitFor();
  await button(page, 'Tourner à droite').click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await button(page, 'Enregistrer').click();
  await coverSheet(page).waitFor({ state: 'detached' });
  // What a browser can decode is taken, whatever it is called.
  await expect.poll(() => hasCover(page.getByRole('main'))).toBe(true);
  await expect.poll(urls).toBe('0');

  // A sheet that is left during a turn keeps no picture either.
  await choose();
  await page.evaluate(() => {
    const own = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'toBlob') ?? {};
    HTMLCanvasElement.prototype.toBlob = function (...args) {
      Object.defineProperty(HTMLCanvasElement.prototype, 'toBlob', own);
      addEventListener('go-on', () => this.toBlob(...args), { once: true });
    };
  });
  await button(page, 'Tourner à droite').click();
  const frame = page.getByRole('dialog', { name: 'Cadrer la couverture' });
  await frame.getByRole('button', { name: 'Annuler' }).click();
  await frame.waitFor({ state: 'detached' });
  await page.evaluate(() => dispatchEvent(new Event('go-on')));
  await expect.poll(urls).toBe('0');
});

test('a photograph that the browser cannot decode is said with what to do', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house)).open(`/livres/${livre.id}`);
  await openCover(page);
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Choisir une image').click();
  const buffer = Buffer.from('\0\0\0\x20ftypheic\0\0\0\0mif1heic', 'latin1');
  await (await chooser).setFiles({ name: 'IMG_0012.HEIC', mimeType: 'image/heic', buffer });
  await page.getByRole('alert').getByText('« Le plus compatible »').waitFor();
});
