import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { run, RunOptions } from 'axe-core';
import type { Page } from 'playwright';
import { SIZES } from './device.ts';
import { isFirefox } from './launch.ts';
import { unseenFocus } from './focus.ts';
import type { State } from './states.ts';

/** Less than half of what the package exports as its source, which each page reads anew. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe need not do: read style sheets of other hosts, and tell all that is well. */
const LEAN: RunOptions = { preload: false, resultTypes: ['violations'] };

/** The rules that another theme may break, of those that axe applies by itself. */
const COLOURS: RunOptions = { ...LEAN, runOnly: ['color-contrast', 'link-in-text-block'] };

/** Firefox is not told of a theme by a test: it has that of its preferences (docs/browsers.md). */
const THEMES = isFirefox ? (['light'] as const) : (['light', 'dark'] as const);

/** Every rule of axe that a state of a screen breaks, or of some, a line for each place. */
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
    const told = await axe.run(document, options);
    // What the policy refuses is told in a later turn.
    await new Promise((later) => setTimeout(later));
    Reflect.set(globalThis, 'isAxeAtWork', false);
    return told;
  }, rules);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}

/**
 * Looks at one page as it stands, on a phone and on a desk, at its colours light and dark, and at the focus on
 * each of its controls; it ends as it began.
 */
export async function faultsInEveryLook(page: Page, where: State): Promise<string[]> {
  const size = page.viewportSize() ?? SIZES.phone;
  const faults: string[] = [];
  for (const [name, viewport] of Object.entries(SIZES)) {
    await resize(page, viewport);
    // A desk begins with the theme that the phone has ended with: each change draws all anew.
    for (const colorScheme of name === 'phone' ? THEMES : THEMES.toReversed()) {
      if (!isFirefox) await page.emulateMedia({ colorScheme });
      const look = `${where}, ${name}, ${colorScheme}:`;
      const rules = colorScheme === 'light' ? LEAN : COLOURS;
      for (const fault of await faultsOf(page, rules)) faults.push(`${look} ${fault}`);
    }
    const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (isWide) faults.push(`${where}, ${name}: scrolls sideways`);
    for (const what of await unseenFocus(page))
      faults.push(`${where}, ${name}: no focus is seen on ${what}`);
  }
  await resize(page, size);
  return faults;
}

/** The page has laid itself out anew when this ends: media queries are told before the next frame. */
export async function resize(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
}
