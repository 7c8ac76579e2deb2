import axe from 'axe-core';
import type { Page } from 'playwright';
import { SIZES } from './device.ts';
import { unseenFocus } from './focus.ts';

/** Every rule of axe that the page breaks, a line for each place. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => {
    const run = Reflect.get(globalThis, 'axe') as typeof axe;
    return run.run(document);
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}

/**
 * Looks at one page as it stands, light and dark, on a phone and on a desk, and at the focus on each of its
 * controls; it ends as it began.
 */
export async function faultsInEveryLook(page: Page, where: string): Promise<string[]> {
  const size = page.viewportSize() ?? SIZES.phone;
  const faults: string[] = [];
  for (const [name, viewport] of Object.entries(SIZES)) {
    await resize(page, viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const look = `${where}, ${name}, ${colorScheme}:`;
      for (const fault of await accessibilityFaults(page)) faults.push(`${look} ${fault}`);
    }
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (isWide) faults.push(`${where}, ${name}: scrolls sideways`);
    for (const what of await unseenFocus(page))
      faults.push(`${where}, ${name}: no focus is seen on ${what}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(page, size);
  return faults;
}

/** The page has laid itself out anew when this ends: media queries are told before the next frame. */
async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}
