import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { run, RunOptions } from 'axe-core';
import type { Page } from 'playwright';
import { SIZES } from './device.ts';
import { isFirefox } from './launch.ts';
import { controlsWithoutFocusOutline } from './focus.ts';
import type { State } from './states.ts';

/** The minified build is half the size of the package's default export; each page parses it again. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Skips style sheets of other hosts and reports violations only. */
const LEAN: RunOptions = { preload: false, resultTypes: ['violations'] };

/** The two rules of axe that depend on the theme. */
const COLOURS: RunOptions = { ...LEAN, runOnly: ['color-contrast', 'link-in-text-block'] };

/** Firefox ignores Playwright's `colorScheme`: it takes the theme from its preferences (docs/browsers.md). */
const THEMES = isFirefox ? (['light'] as const) : (['light', 'dark'] as const);

/** Runs axe on the current state, with all rules or the given ones, and returns one line per violation. */
export const accessibilityFaults = async (
  page: Page,
  state: State,
  rules = LEAN,
): Promise<string[]> => (await faultsOf(page, rules)).map((fault) => `${state}, ${fault}`);

async function faultsOf(page: Page, rules: RunOptions): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(async (options) => {
    const axe = Reflect.get(globalThis, 'axe') as { run: typeof run };
    Reflect.set(globalThis, 'isAxeAtWork', true);
    const results = await axe.run(document, options);
    // Violations of the content security policy are reported in a later task.
    await new Promise((later) => setTimeout(later));
    Reflect.set(globalThis, 'isAxeAtWork', false);
    return results;
  }, rules);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}

/**
 * Checks a page on a phone and on a desk, in light and dark, and the focus outline of each control. Restores size and
 * theme.
 */
export async function faultsInEveryLook(page: Page, where: State): Promise<string[]> {
  const size = page.viewportSize() ?? SIZES.phone;
  const faults: string[] = [];
  for (const [name, viewport] of Object.entries(SIZES)) {
    await resize(page, viewport);
    // The desk starts with the phone's last theme: each change of theme repaints everything.
    for (const colorScheme of name === 'phone' ? THEMES : THEMES.toReversed()) {
      if (!isFirefox) await page.emulateMedia({ colorScheme });
      const look = `${where}, ${name}, ${colorScheme}:`;
      const rules = colorScheme === 'light' ? LEAN : COLOURS;
      for (const fault of await faultsOf(page, rules)) faults.push(`${look} ${fault}`);
    }
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (isWide) faults.push(`${where}, ${name}: scrolls sideways`);
    for (const what of await controlsWithoutFocusOutline(page))
      faults.push(`${where}, ${name}: no focus is seen on ${what}`);
  }
  await resize(page, size);
  return faults;
}

/** Resizes the page and waits for its layout: media queries are evaluated before the next frame. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}
