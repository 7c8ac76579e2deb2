import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { accessibilityFaults, faultsInEveryLook } from './support/accessibility.ts';
import { device } from './support/device.ts';
import { follow } from './support/follow.ts';
import { bar, houseOf, select } from './support/selection.ts';

const PANELS = {
  preter: '/: a selection, to lend',
  statut: '/: a selection, a status',
  typeDocument: '/: a selection, a kind',
  format: '/: a selection, a format',
  serie: '/: a selection, a series',
  emplacement: '/: a selection, a location',
} as const;

/** The tile, sheet or row with the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement } = document;
    const panel = activeElement?.getAttribute('data-panel');
    return panel ?? activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? '';
  });

test('axe and the keyboard accept a selection’s opened forms', async () => {
  const page = await (await device(await houseOf('Alcools', 'Bel-Ami'))).open();
  await select(page, 'Alcools', 'Bel-Ami');
  const faults: string[] = [];
  for (const [panel, state] of Object.entries(PANELS)) {
    const tile = bar(page).locator(`[data-panel="${panel}"]`);
    await tile.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => bar(page).getByRole('group').count(), { message: panel }).toBe(1);
    expect(await page.evaluate(() => document.activeElement?.matches('input, button'))).toBe(true);
    faults.push(...(await faultsInEveryLook(page, state)));
    await bar(page).getByRole('group').getByRole('button').last().focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page), { message: panel }).toBe(panel);
  }
  expect(faults).toEqual([]);
});

test('axe and the keyboard accept filters and rows', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami');
  const phone = await device(house);
  const page = await phone.open();
  const open = page.getByRole('button', { name: /^Filtres/ });
  await open.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Filtres');
  await page.getByRole('dialog').focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => focused(page)).toMatch(/^\s*Filtres/);

  const desk = await (await device(house, { size: 'desk' })).open();
  await desk.getByRole('link', { name: 'Alcools', exact: true }).focus();
  await desk.keyboard.press('ArrowDown');
  await expect.poll(() => focused(desk)).toBe('Bel-Ami');
  await desk.keyboard.press('Enter');
  const cover = desk.getByRole('button', { name: 'Changer la couverture' });
  await cover.press('Enter');
  const state = '/livres/[id]: the choices of a cover';
  const faults = await faultsInEveryLook(desk, state);
  const named = { runOnly: ['label-content-name-mismatch'] };
  faults.push(...(await accessibilityFaults(desk, state, named)));
  await follow(desk, '/souhaits');
  expect(faults).toEqual([]);
});
