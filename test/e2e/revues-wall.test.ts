import { expect, test } from 'vitest';
import { accessibilityFaults } from './support/accessibility.ts';
import { ajouterNumero, ajouterRevue, lireNumeros } from './support/collections.ts';
import { device } from './support/device.ts';
import { household } from './support/household.ts';

test('a missing issue is shown on the wall of its year, and can be wished for or added there', async () => {
  const house = await household();
  const titre = 'Pour la Science';
  const revue = await ajouterRevue(house, { titre, issn: '0153-4092' });
  for (const [numero, date] of [
    ['560', '2026-02'],
    ['557', '2025-11'],
    ['HS 3', '2025-10'],
  ] as const)
    await ajouterNumero(house, revue, { numero, date });
  const phone = await device(house);
  const page = await phone.open(`/revues/${String(revue.id)}`);
  await page.getByText('Il manque les numéros 558 et 559.').waitFor();
  const wall = page.getByRole('main');
  const names = (year: string) =>
    page
      .getByRole('region', { name: year })
      .getByRole('listitem')
      .evaluateAll((items) =>
        items.map((item) => {
          const pressed = item.querySelector('a, button');
          return pressed?.getAttribute('aria-label') ?? pressed?.textContent.trim() ?? '';
        }),
      );
  await expect.poll(() => names('2026')).toEqual(['N°\u00a0560', 'N°\u00a0559, ce numéro manque']);
  await expect
    .poll(() => names('2025'))
    .toEqual(['N°\u00a0558, ce numéro manque', 'N°\u00a0557', 'HS 3']);
  expect(await accessibilityFaults(page, '/revues/[id]: a missing issue')).toEqual([]);

  const sheet = page.getByRole('dialog', { name: 'N°\u00a0558' });
  const missing = wall.getByRole('button', { name: 'N°\u00a0558, ce numéro manque' });
  await missing.press('Enter');
  await sheet.getByRole('button', { name: 'Mettre sur ma liste' }).click();
  await sheet.getByRole('link', { name: 'Sur ma liste' }).waitFor();
  const response = await fetch(`${house.url}/api/souhaits-revues`, {
    headers: { SSO_USER: 'alice' },
  });
  expect(await response.json()).toMatchObject([{ titre, numero: '558', issn: '0153-4092' }]);
  await sheet.getByRole('button', { name: 'Ajouter ce numéro' }).click();
  const field = page.getByLabel('Numéro', { exact: true });
  await expect.poll(() => field.inputValue()).toBe('558');
  await page.getByLabel('Date', { exact: true }).fill('décembre 2025');
  await page.getByRole('button', { name: 'Enregistrer' }).click();
  await wall.getByRole('link', { name: 'N°\u00a0558' }).waitFor();
  await page.getByText('Il manque le n°\u00a0559.').waitFor();
  expect(await lireNumeros(house, revue)).toHaveLength(4);

  await phone.cutNetwork();
  await page
    .getByText(/^Hors ligne/)
    .first()
    .waitFor();
  await wall.getByRole('button', { name: 'N°\u00a0559, ce numéro manque' }).click();
  const other = page.getByRole('dialog', { name: 'N°\u00a0559' });
  const add = other.getByRole('button', { name: 'Ajouter ce numéro' });
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true');
  await other.locator(`#${(await add.getAttribute('aria-describedby')) ?? 'none'}`).waitFor();
});

test('five hundred issues of a long title are rendered in portions', async () => {
  const house = await household();
  const titre =
    'Bulletin trimestriel de la société archéologique, historique et géographique des trois vallées';
  const revue = await ajouterRevue(house, { titre });
  for (let numero = 1; numero <= 500; numero++)
    await ajouterNumero(house, revue, {
      numero: String(numero),
      date: `${String(1980 + Math.floor(numero / 12))}-${String((numero % 12) + 1).padStart(2, '0')}`,
    });
  const page = await (await device(house, { size: 'desk' })).open(`/revues/${String(revue.id)}`);
  const wall = page.getByRole('main');
  const year = page.getByRole('region', { name: '2021' }).getByRole('list');
  await wall.getByRole('link', { name: 'N°\u00a0500' }).waitFor();
  expect(await wall.getByRole('link').count()).toBeLessThan(150);
  const { right, edge, isWithin } = await year.evaluate((list) => ({
    right: list.getBoundingClientRect().right,
    edge: innerWidth - 60,
    isWithin: document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  }));
  expect(right).toBeGreaterThan(edge);
  expect(isWithin).toBe(true);
  await page.keyboard.press('End');
  await wall.getByRole('link', { name: 'N°\u00a01', exact: true }).waitFor();
});
