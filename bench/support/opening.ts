import type { Browser, BrowserContext, Page } from 'playwright';
import { openCatalogue, PHONE, phone, slowDown, typeInto } from './page.ts';

export interface Phone {
  readonly context: BrowserContext;
  readonly url: string;
}

export async function settle(browser: Browser, url: string, count: number): Promise<Phone> {
  const context = await phone(browser);
  const page = await context.newPage();
  await openCatalogue(page, url, count);
  await page.close();
  return { context, url };
}

/**
 * Types searches into a device's catalogue; returns the milliseconds to the laid out list of each.
 *
 * @param count the list's number of books; `null` for any
 */
export async function type(
  { context, url }: Phone,
  path: string,
  count: number | null,
  searches: readonly string[],
) {
  const page = await context.newPage();
  await slowDown(page, PHONE);
  await page.goto(url + path);
  await page.waitForFunction((size) => {
    const row = document.querySelector('main [role=listitem]');
    return row !== null && (size === null || row.ariaSetSize === String(size));
  }, count);
  const times = await typeInto(page, searches);
  await page.close();
  return times;
}

const ROWS = 'main .row';

/** The timeout for a screen's content. */
const OPENING_LIMIT_MS = 60_000;

/**
 * The milliseconds from the press on a link in the rail to the screen's rows, with its files cached.
 *
 * @param rows the selector to wait for
 */
export async function openFromRail(
  { context, url }: Phone,
  path: string,
  rows = ROWS,
): Promise<number> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(url + path);
  await page.locator(rows).first().waitFor();
  await page.locator('nav a[href="/prets"]').first().click();
  await page.locator(rows).first().waitFor({ state: 'detached' });
  await slowDown(page, PHONE);
  const time = await timeOfPress(page, `nav a[href="${path}"]`, rows);
  await page.close();
  return time;
}

export const timeOfPress = (page: Page, link: string, rows: string): Promise<number> =>
  page.evaluate(
    async ([pressed, awaited, limit]) => {
      const begin = performance.now();
      document.querySelector<HTMLElement>(pressed)?.click();
      while (document.querySelector(awaited) === null) {
        if (performance.now() - begin > limit) throw new Error(`${pressed} shows no ${awaited}`);
        await new Promise(requestAnimationFrame);
      }
      document.body.getBoundingClientRect();
      return performance.now() - begin;
    },
    [link, rows, OPENING_LIMIT_MS] as const,
  );
