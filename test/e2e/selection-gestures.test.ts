import { expect, test } from 'vitest';
import { faultsInEveryLook } from './support/accessibility.ts';
import { livreRow, showAs } from './support/catalogue.ts';
import { ajouterSerie } from './support/collections.ts';
import { device } from './support/device.ts';
import { expectFeedback, UNDONE } from './support/feedback.ts';
import {
  bar,
  box,
  chosen,
  houseOf,
  select,
  untilGestures,
  startSelection,
} from './support/selection.ts';

test('a long press begins a selection that Back leaves', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami', 'Candide', 'Désert');
  const page = await (await device(house)).open();
  await untilGestures(page);
  const row = livreRow(page, 'Bel-Ami');
  await row.getByRole('link').dispatchEvent('pointerdown', { pointerType: 'touch', bubbles: true });
  await box(page, 'Bel-Ami').waitFor();
  await row.getByRole('link').dispatchEvent('pointerup', { pointerType: 'touch', bubbles: true });
  await expect.poll(() => chosen(page)).toEqual(['Bel-Ami']);
  await box(page, 'Candide').click();
  await bar(page).getByText('2 livres sélectionnés').waitFor();
  await page.goBack();
  await bar(page).waitFor({ state: 'hidden' });
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await livreRow(page, 'Candide').waitFor();

  // The wall of covers and the list share one selection.
  await showAs(page, 'Couvertures');
  await select(page, 'Alcools');
  await box(page, 'Candide').click({ modifiers: ['Shift'] });
  await expect.poll(() => chosen(page)).toEqual(['Alcools', 'Bel-Ami', 'Candide']);
  await showAs(page, 'Liste');
  await expect.poll(() => chosen(page)).toEqual(['Alcools', 'Bel-Ami', 'Candide']);
  await bar(page).getByText('3 livres sélectionnés').waitFor();

  expect(await faultsInEveryLook(page, '/: a selection')).toEqual([]);
  for (const name of ['Prêter', 'Lecture', 'Série']) {
    const tile = bar(page).getByRole('button', { name });
    await tile.click();
    await bar(page).getByRole('group').waitFor();
    await page.keyboard.press('Escape');
    await bar(page).getByRole('group').waitFor({ state: 'hidden' });
    expect(await tile.evaluate((element) => element === document.activeElement), name).toBe(true);
  }
});

test('the keys and clicks of a desk select books', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami', 'Candide', 'Désert', 'Emma');
  const page = await (await device(house, { size: 'desk' })).open();
  await untilGestures(page);
  const link = (titre: string) => livreRow(page, titre).getByRole('link');
  await link('Bel-Ami').click({ modifiers: ['Control'] });
  await expect.poll(() => chosen(page)).toEqual(['Bel-Ami']);
  await box(page, 'Désert').click({ modifiers: ['Shift'] });
  await expect.poll(() => chosen(page)).toEqual(['Bel-Ami', 'Candide', 'Désert']);
  await box(page, 'Candide').click({ modifiers: ['Shift'] });
  await expect.poll(() => chosen(page)).toEqual(['Bel-Ami', 'Candide']);
  await bar(page).waitFor();
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'hidden' });

  await link('Alcools').focus();
  await page.keyboard.press('Shift+ArrowDown');
  await expect.poll(() => chosen(page)).toEqual(['Alcools', 'Bel-Ami']);
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowUp');
  await expect.poll(() => chosen(page)).toEqual(['Alcools', 'Bel-Ami']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect.poll(() => chosen(page)).toEqual(['Alcools', 'Bel-Ami', 'Désert']);
  await page.keyboard.press('Control+a');
  await bar(page).getByText('5 livres sélectionnés').waitFor();
  await bar(page).getByRole('button', { name: 'Lecture' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expectFeedback(page, 'Marqué à lire : 5 livres');
  await page.keyboard.press('Control+z');
  await expectFeedback(page, UNDONE);
});

test('the arrow keys stay among the boxes, whatever other results a search shows', async () => {
  const house = await houseOf('Dune', 'Le messie de Dune');
  await ajouterSerie(house, { titre: 'Dune', places: [{ titre: 'Dune, tome 1' }] });
  const page = await (await device(house, { size: 'desk' })).open('/?recherche=dune');
  const serie = page.getByRole('main').getByRole('link', { name: 'Dune', exact: true }).last();
  await expect.poll(() => serie.getAttribute('href')).toMatch(/series/);
  await startSelection(page);
  await box(page, 'Dune').focus();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
  const visited: (string | null | undefined)[] = [];
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('ArrowDown');
    visited.push(await focused());
  }
  expect(new Set(visited)).toEqual(new Set(['Le messie de Dune']));
  await page.keyboard.press('Escape');
  await bar(page).waitFor({ state: 'detached' });
});

test('Escape leaves a selection before its bar has come', async () => {
  const house = await houseOf('Alcools', 'Bel-Ami');
  const desk = await device(house, { size: 'desk' });
  const { promise: isReleased, resolve: release } = Promise.withResolvers<null>();
  // The service worker must not serve the file either, so delay its script too.
  let delayed = /service-worker/;
  desk.portal.delay = async (path) => delayed.test(path) && isReleased;
  const page = await desk.open();
  const link = livreRow(page, 'Bel-Ami').getByRole('link');
  await link.waitFor();
  await untilGestures(page);
  delayed = /service-worker|immutable/;
  await link.click({ modifiers: ['Control'] });
  await expect.poll(() => chosen(page)).toEqual(['Bel-Ami']);
  expect(await bar(page).count()).toBe(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
  release(null);
  await link.click();
  await page.getByRole('heading', { name: 'Bel-Ami', level: 1 }).waitFor();
  expect(await bar(page).count()).toBe(0);
});
