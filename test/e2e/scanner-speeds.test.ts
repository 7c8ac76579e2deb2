import { expect, test } from 'vitest';
import type { Page } from 'playwright';
import { unfold } from './support/add.ts';
import { ajouterEmplacement } from './support/collections.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { householdKnowingAllCodes, codesOf } from './support/scan-codes.ts';
import { deskScanner } from './support/recherche.ts';

const WAIT = { timeout: 120_000 };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const untilOnline = async (page: Page) => {
  await expect.poll(() => button(page, "Rechercher l'ISBN").isEnabled()).toBe(true);
};

test('no scan is lost at any speed', async () => {
  const { house } = await householdKnowingAllCodes(0);
  const salon = await ajouterEmplacement(house, { nom: 'Salon' });
  const codes = codesOf(24);
  const page = await (await device(house, { size: 'desk' })).open('/livres/ajouter');
  await unfold(page);
  await untilOnline(page);
  const speeds = [10, 20, 40, 60, 80, 120];
  const scanners = await Promise.all(speeds.map((gapMs) => deskScanner(page, {}, gapMs)));
  const scanAll = async (some: readonly string[]) => {
    for (const [index, code] of some.entries()) await scanners[index % speeds.length]?.(code);
  };
  await scanAll(codes);
  const sum = (name: string) => page.getByRole('link', { name, exact: true });
  await sum('23 livres cette fois').waitFor(WAIT);
  const titre = page.getByLabel('Titre', { exact: true });
  await expect.poll(() => titre.inputValue()).toMatch(/^Volume \d+$/);
  await expect.poll(() => button(page, 'Ajouter').isEnabled()).toBe(true);
  await button(page, 'Ajouter').click();
  await sum('24 livres cette fois').waitFor();

  const some = codes.slice(0, speeds.length);
  await follow(page, `/rangement/ranger?emplacement=${salon.id}`);
  await page.getByLabel('ISBN ou titre').focus();
  await scanAll(some);
  await page.getByText('6 livres rangés ici', { exact: true }).waitFor(WAIT);
  await follow(page, `/rangement/recolement?emplacement=${salon.id}`);
  await button(page, 'Commencer').click();
  await page.getByText('0 vu sur 6', { exact: true }).waitFor();
  await scanAll(some);
  await page.getByText('6 vus sur 6', { exact: true }).waitFor(WAIT);
  await follow(page, '/prets');
  await page.getByRole('heading', { name: 'Prêts' }).waitFor();
  for (const [index, code] of some.entries()) {
    await scanners[index]?.(code);
    await page.getByText(`Volume ${code}`).first().waitFor();
  }
  await follow(page, '/');
  for (const [index, code] of some.entries()) {
    await scanners[index]?.(code);
    await page.getByRole('heading', { name: `Volume ${code}`, exact: true }).waitFor();
  }
  // An invalid code is reported, not dropped.
  await page
    .getByRole('link', { name: /^Volume/ })
    .first()
    .focus();
  await scanners[4]?.('9782070408503');
  await page.getByText(/^Ce code \(9782070408503\) n’est pas un ISBN/).waitFor();
});

test('a scanner that presses no Enter is heard', async () => {
  const { house } = await householdKnowingAllCodes(0);
  const [isbn = ''] = codesOf(1);
  await house.ajouter({ titre: 'Relire', isbn });
  const page = await (await device(house, { size: 'desk' })).open();
  await page.getByText('1 livre', { exact: true }).waitFor();
  const scan = await deskScanner(page, {}, 12, false);
  await scan(isbn);
  await page.getByRole('heading', { name: 'Relire', exact: true }).waitFor();
});
