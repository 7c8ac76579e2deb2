import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { coverSheet, openCover, photo } from './support/covers.ts';
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
