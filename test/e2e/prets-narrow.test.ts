import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { expectFeedback } from './support/feedback.ts';
import { household } from './support/household.ts';

/** Parts of the loans that are cut off, overflow the list, or are too small to press. */
const faults = (page: Page): Promise<string[]> =>
  page.locator('main').evaluate((main) => {
    const list = main.querySelector('.list') ?? main;
    const line =
      Number.parseFloat(getComputedStyle(list).getPropertyValue('margin-inline-end')) || 0;
    const end = list.getBoundingClientRect().right + Math.min(line, 0);
    const faults: string[] = [];
    for (const button of main.querySelectorAll('.row button')) {
      const { width, height, right } = button.getBoundingClientRect();
      const name = button.getAttribute('aria-label') ?? button.textContent.trim();
      if (width < 44 || height < 44) faults.push(`${name}: ${width} × ${height}`);
      if (right > end + 0.5) faults.push(`${name} ends ${right - end} px behind its list`);
    }
    for (const title of main.querySelectorAll('.row-title'))
      if (title.scrollWidth > title.clientWidth) faults.push(`cut: ${title.textContent}`);
    return faults;
  });

test('a loan with long names is entirely visible on a phone', async () => {
  const house = await household();
  const titles = [
    'Le très long voyage de monsieur Perrichon et de toute sa famille aux bains de mer',
    'Anticonstitutionnellement : une enquête',
    'Dune',
  ];
  const names = ['Marie-Charlotte de Saint-Exupéry-Beauharnais', 'Luc', 'Luc'];
  for (const [index, titre] of titles.entries())
    await house.preter(await house.ajouter({ titre }), names[index] ?? '');
  const page = await (await device(house)).open('/prets');
  await page.getByRole('link', { name: 'Dune', exact: true }).waitFor();
  expect(await faults(page)).toEqual([]);
  const wide = page.getByRole('link', { name: /^Anti/ });
  const width = await wide.evaluate((title) => title.getBoundingClientRect().width);
  expect(width).toBeGreaterThan(180);

  await page.getByRole('button', { name: /Tout est rendu/ }).waitFor();
  await page
    .getByRole('button', { name: /^Rendu.: / })
    .last()
    .click();
  await expectFeedback(page, /^Rendu par .+\s: Dune$/);
  expect(await faults(page)).toEqual([]);
});
