import { expect, test } from 'vitest';
import { device } from './support/device.ts';
import { everyScreen } from './support/every-screen.ts';
import { follow } from './support/follow.ts';
import { household } from './support/household.ts';

/** Lists and records whose actions must end at the edge of the content. */
const LISTS = [
  '/',
  '/auteurs',
  '/prets',
  '/souhaits',
  '/series',
  '/revues',
  '/lectures',
  '/rangement',
  '/modifications',
  '/selections',
];

test('on a desk actions have one right edge, and headings, texts and lists one left edge', async () => {
  const house = await household();
  const { routes } = await everyScreen(house, {
    titre: 'Le Guépard',
    numero: '12',
    auteur: 'Giuseppe Tomasi di Lampedusa',
    emprunteur: 'Tante Hélène',
    emplacement: 'Salon',
    theme: 'roman',
  });
  const records = routes.filter((route) =>
    /^\/(?:auteurs|series|revues|rangement)\/\d+(?:\/numeros\/\d+)?$/u.test(route),
  );
  expect(records.length).toBeGreaterThan(3);
  const page = await (await device(house, { size: 'desk' })).open();
  const found: string[] = [];
  for (const width of [1280, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    for (const route of [...LISTS, ...records]) {
      await follow(page, route);
      await page.locator('main h1').first().waitFor({ state: 'attached' });
      const faults = await page.evaluate(() => {
        const main = document.querySelector('main');
        if (main === null) return ['no main'];
        const margin = Number.parseFloat(getComputedStyle(main).getPropertyValue('--margin'));
        const { left, right } = main.getBoundingClientRect();
        const shown = [...main.querySelectorAll(':is(.screen-head, .toolbar) :is(a, button)')]
          .filter((control) => control.checkVisibility() && control.closest('.sr-only') === null)
          .map((control) => control.getBoundingClientRect());
        const primary = [...main.querySelectorAll(':is(.screen-head, .toolbar) .primary')].length;
        const last = Math.max(...shown.map((box) => box.right));
        // The icon must align, not its padding.
        const overhang = primary > 0 ? 1 : 15;
        const starts = [...main.querySelectorAll('h1, .column')]
          .filter(
            (one) =>
              one.checkVisibility() && one.closest('.sr-only, .hero, header.cluster') === null,
          )
          .filter((one) => !one.parentElement?.closest('.column, .led, .columns'))
          .map((one) => one.getBoundingClientRect().left);
        return [
          ...(shown.length > 0 && Math.abs(last - (right - margin)) > overhang
            ? [`actions end at ${String(last)}, the screen at ${String(right - margin)}`]
            : []),
          ...starts
            .filter((start) => Math.abs(start - left - margin) > 1)
            .map((start) => `begins at ${String(start)}, the screen at ${String(left + margin)}`),
        ];
      });
      found.push(...faults.map((fault) => `${route} at ${String(width)}: ${fault}`));
    }
  }
  expect(found).toEqual([]);
});

test('on a desk texts and forms end at one edge on every screen', async () => {
  const page = await (await device(await household(), { size: 'desk' })).open();
  for (const route of ['/importer', '/lectures/annee', '/aide/preter']) {
    await follow(page, route);
    await page.locator('main .column').first().waitFor();
    const edges = await page
      .locator('main .column')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)));
    expect(Math.max(...edges), route).toBe(964);
  }
});
