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

test('a failed rotation is reported, and the picture can be sent as it is', async () => {
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
    const original = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'toBlob') ?? {};
    HTMLCanvasElement.prototype.toBlob = (callback) => {
      Object.defineProperty(HTMLCanvasElement.prototype, 'toBlob', original);
      callback(null);
    };
  });
  await button(page, 'Tourner à droite').click();
  await page.getByRole('alert').getByText('Rotation impossible.').waitFor();
  await button(page, 'Tourner à droite').click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await button(page, 'Enregistrer').click();
  await coverSheet(page).waitFor({ state: 'detached' });
  // Any picture that the browser can decode is accepted, whatever its file name.
  await expect.poll(() => hasCover(page.getByRole('main'))).toBe(true);
  await expect.poll(urls).toBe('0');

  // Closing the sheet during a rotation releases the picture, too.
  await choose();
  await page.evaluate(() => {
    const original = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, 'toBlob') ?? {};
    HTMLCanvasElement.prototype.toBlob = function (...args) {
      Object.defineProperty(HTMLCanvasElement.prototype, 'toBlob', original);
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

test('a photograph that the browser cannot decode is reported with advice', async () => {
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

/** A red BMP, which a browser decodes and the service does not. */
function bitmap(width: number, height: number): Buffer {
  const rowBytes = Math.ceil((3 * width) / 4) * 4;
  const head = Buffer.alloc(54);
  head.write('BM', 'latin1');
  head.writeUInt32LE(head.length + rowBytes * height, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  const pixel = Buffer.from([0x22, 0x33, 0xaa]);
  const row = Buffer.concat([Buffer.alloc(3 * width, pixel), Buffer.alloc(rowBytes - 3 * width)]);
  return Buffer.concat([head, ...Array.from({ length: height }, () => row)]);
}

test('a photograph that the browser decodes, and the service does not, is sent as a JPEG', async () => {
  const house = await household();
  const livre = await house.ajouter({ titre: 'Désert' });
  const buffer = bitmap(300, 400);
  const address = `/api/livres/${String(livre.id)}/couverture`;
  const asItIs = await fetch(house.url + address, {
    method: 'PUT',
    headers: { 'content-type': 'image/heic' },
    body: new Uint8Array(buffer),
  });
  expect(asItIs.status).toBe(400);
  const page = await (await device(house, { size: 'desk' })).open(`/livres/${livre.id}`);
  await page.evaluate((path) => {
    const original = fetch;
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      if (request.method === 'PUT' && new URL(request.url).pathname === path) {
        const sent = new Uint8Array(await request.clone().arrayBuffer());
        document.documentElement.dataset['sent'] = [...sent.slice(0, 3), ...sent.slice(-2)]
          .map((byte) => byte.toString(16))
          .join(' ');
      }
      return original(request);
    };
  }, address);
  await openCover(page);
  const chooser = page.waitForEvent('filechooser');
  await button(page, 'Choisir une image').click();
  await (await chooser).setFiles({ name: 'IMG_1.HEIC', mimeType: 'image/heic', buffer });
  await page.getByRole('button', { name: 'Enregistrer', disabled: false }).click();
  await coverSheet(page).waitFor({ state: 'detached' });
  // The first and last marker of a JPEG.
  const sent = page.evaluate(() => document.documentElement.dataset['sent']);
  expect(await sent).toBe('ff d8 ff ff d9');
  const { couverture } = (await (await fetch(`${house.url}/api/livres/${livre.id}`)).json()) as {
    couverture: unknown;
  };
  expect(couverture).toMatchObject({ source: 'personne' });
});
