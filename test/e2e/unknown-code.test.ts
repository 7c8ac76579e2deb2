import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';
import { deskScanner } from './support/recherche.ts';

const UNKNOWN = '9782948012253';

test('an empty house offers to add a scanned code', async () => {
  const page = await (await device(await household(), { size: 'desk' })).open();
  await page.getByRole('heading', { name: 'Les rayons sont vides' }).waitFor();
  const scan = await deskScanner(page);
  await scan(UNKNOWN);
  const add = page.getByRole('button', { name: 'Ajouter ce livre' });
  await add.waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await add.click();
  await page.waitForURL(/\/livres\/ajouter\?isbn=9782948012253/);
});
