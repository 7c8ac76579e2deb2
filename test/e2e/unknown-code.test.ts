import { expect, test } from 'vitest';
import type { Locator } from 'playwright';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';
import { codesOf } from './support/scan-codes.ts';
import { deskScanner, householdWithCatalogues } from './support/recherche.ts';

const UNKNOWN = '9782948012253';

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (box === null) throw new Error('not shown');
  return box;
};

test('the message of a scan covers no button at a desk', async () => {
  const house = await household();
  await house.ajouter({ titre: 'Désert' });
  const page = await (await device(house, { size: 'desk' })).open();
  await page.getByText('1 livre', { exact: true }).waitFor();
  const scan = await deskScanner(page);
  await scan(UNKNOWN);
  const box = await boxOf(page.getByRole('status').getByText(/^Pas dans la bibliothèque/));
  for (const control of [
    page.getByRole('button', { name: /^Filtres/ }),
    page.getByRole('main').getByRole('link', { name: 'Ajouter' }),
    page.getByRole('searchbox', { name: 'Rechercher' }),
  ]) {
    const { x, y, width, height } = await boxOf(control.first());
    const isApart =
      box.x + box.width <= x ||
      x + width <= box.x ||
      box.y + box.height <= y ||
      y + height <= box.y;
    expect(isApart).toBe(true);
  }
});

test('an empty house offers to add a scanned code', async () => {
  const page = await (await device(await household(), { size: 'desk' })).open();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
  const scan = await deskScanner(page);
  await scan(UNKNOWN);
  const add = page.getByRole('button', { name: 'Ajouter ce livre' });
  await add.waitFor();
  expect(await accessibilityFaults(page, '/: an unknown code')).toEqual([]);
  await add.click();
  await page.waitForURL(/\/livres\/ajouter\?isbn=9782948012253/);
});

test('a title that begins like a code is a title', async () => {
  const titre = '97 façons de ranger une bibliothèque qui déborde de partout';
  const [owned = '', scanned = ''] = codesOf(2);
  const { house } = await householdWithCatalogues({
    intercept: (_request, response, url) => {
      if (!url.pathname.startsWith(`/isbn/${scanned}`)) return false;
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ key: '/books/OL1M', type: { key: '/type/edition' }, title: titre }));
      return true;
    },
  });
  await house.ajouter({ titre, isbn: owned });
  const page = await (await device(house)).open('/livres/ajouter?scanner=etagere');
  await page.getByText('Aucun livre encore', { exact: true }).waitFor();
  await (
    await deskScanner(page)
  )(scanned);
  const heading = page.getByRole('heading', { name: titre });
  await heading.waitFor();
  // A code fits on one line.
  expect(await heading.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
});
