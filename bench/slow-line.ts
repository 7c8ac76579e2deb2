import { chromium, type Page } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { findBrowser } from '../test/support/browser.ts';
import { householdOf } from './support/household.ts';
import { openCatalogue, PHONE, phone, slowDown } from './support/page.ts';
import { longestTask, watchTasks } from './support/long-tasks.ts';
import { bound, print, unbounded } from './support/report.ts';

const ROUNDS = 3;

const BOOKS = 2000;

/** Latency 400 ms, 1.6 Mbit/s down and 0.75 up. */
const SLOW_4G = {
  offline: false,
  latency: 400,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

const LONG_TASK_MS = 50;

export async function benchSlowLine(all: readonly LivreDocument[]): Promise<void> {
  const livres = all.slice(0, BOOKS);
  const household = await householdOf(livres);
  const browser = await chromium.launch(await findBrowser());
  const painted: number[] = [];
  const tasks: number[] = [];
  let bytes = NaN;
  for (let round = 0; round < ROUNDS; round++) {
    const context = await phone(browser);
    const page = await context.newPage();
    await page.addInitScript(watchTasks);
    await slowDown(page, PHONE);
    const session = await context.newCDPSession(page);
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    painted.push((await openCatalogue(page, household.server.url, livres.length)).painted);
    const pages = await pagesOf(page);
    tasks.push(await longestTask(page, pages.begin));
    bytes = pages.bytes;
    await context.close();
  }
  await browser.close();
  await household.end();
  print(`A first visit by a phone on slow 4G, ${livres.length} books`, [
    bound('first book of a first visit, slow 4G, slowed down', painted, 3000, 'ms'),
    unbounded('first synchronisation over the wire', bytes / 1000, 'kB'),
    bound('longest task while a first copy arrives, slowed down', tasks, LONG_TASK_MS, 'ms'),
  ]);
}

const pagesOf = (page: Page): Promise<{ bytes: number; begin: number }> =>
  page.evaluate(() => {
    const pages = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/replication?')) as PerformanceResourceTiming[];
    return {
      begin: Math.min(...pages.map(({ responseEnd }) => responseEnd)),
      bytes: pages.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
    };
  });
