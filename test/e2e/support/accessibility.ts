import axe from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';

/** Fails with every rule of axe that the page breaks, and where. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const results = await page.evaluate(() => {
    const run = Reflect.get(globalThis, 'axe') as typeof axe;
    return run.run(document);
  });
  const told = results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`).join('\n')}`,
  );
  expect(told).toEqual([]);
}
