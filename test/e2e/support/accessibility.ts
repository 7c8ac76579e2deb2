import axe from 'axe-core';
import type { Page } from 'playwright';

/** Every rule of axe that the page breaks, a line for each place. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => {
    const run = Reflect.get(globalThis, 'axe') as typeof axe;
    return run.run(document);
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
