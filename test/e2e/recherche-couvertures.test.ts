import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import { backOfBook } from '../support/ean13.ts';
import { png } from '../support/png.ts';
import { ligne } from './support/catalogue.ts';
import { device, useBrowser } from './support/device.ts';
import { household } from './support/household.ts';

useBrowser();

/** A busy machine takes its time. */
const PATIENCE = { timeout: 20_000 };

const ADRESSE = 'https://covers.example/desert.jpg';

/** Whether the picture of a book stands over its substitute. */
const couverte = (page: Page, titre: string): Promise<boolean> =>
  ligne(page, titre)
    .locator('img')
    .evaluateAll((images) =>
      images.some((image) => image instanceof HTMLImageElement && image.naturalWidth > 0),
    );

test('a cover that was seen is shown offline, and one that fails leaves the substitute', async () => {
  const maison = await household();
  await maison.ajouter({ titre: 'Désert', coverUrl: ADRESSE });
  const appareil = await device(maison);
  const page = await appareil.open();
  await appareil.untilOfflineReady(page);
  // Without a picture behind it the relay answers 404: nothing is kept of that.
  await page.reload();
  await ligne(page, 'Désert').waitFor();
  await ligne(page, 'Désert').locator('img').waitFor({ state: 'hidden' });

  appareil.portal.cover = png(backOfBook('9782070408504'));
  await page.reload();
  await expect.poll(() => couverte(page, 'Désert'), PATIENCE).toBe(true);
  await appareil.cutNetwork();
  await page.reload();
  await expect.poll(() => couverte(page, 'Désert'), PATIENCE).toBe(true);
});

test('a device keeps so many covers and no more, the oldest out first', async () => {
  const maison = await household();
  const appareil = await device(maison);
  appareil.portal.cover = png(backOfBook(null, 2, 3));
  const page = await appareil.open();
  await appareil.untilOfflineReady(page);
  await page.reload();
  const gardees = await page.evaluate(async () => {
    const voir = (i: number) => fetch(`/api/couvertures?url=${i}`);
    for (let i = 0; i < 3; i++) await voir(i);
    await Promise.all(Array.from({ length: 500 }, (_, i) => voir(i + 3)));
    const cache = await caches.open('rayonnage-couvertures');
    return (await cache.keys()).map(({ url }) => new URL(url).searchParams.get('url'));
  });
  expect(gardees).toHaveLength(500);
  for (const ancienne of ['0', '1', '2']) expect(gardees).not.toContain(ancienne);
});
