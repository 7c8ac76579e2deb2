import type { Browser, Page } from 'playwright';
import { openCatalogue, PHONE, phone, slowDown } from './support/page.ts';
import { bound, type Measure } from './support/report.ts';
import { median } from './support/timing.ts';

const ROUNDS = 3;

/** Slow 4G: 400 ms to an answer, 1.6 Mbit/s down and 0.75 up. */
const SLOW_4G = {
  offline: false,
  latency: 400,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** A first visit by a phone on slow 4G, and what its first synchronisation weighs. */
export async function measureSlowLine(
  browser: Browser,
  url: string,
  books: number,
): Promise<Measure[]> {
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
    painted.push((await openCatalogue(page, url, books)).painted);
    ({ bytes } = await pagesOf(page, tasks));
    await context.close();
  }
  return [
    bound('first book on slow 4G, slowed down', median(painted), 5000, 'ms'),
    bound('first synchronisation over the wire', bytes / 1000, 700, 'kB'),
    bound('longest task while pages are applied, slowed down', Math.max(50, ...tasks), 50, 'ms'),
  ];
}

/** Bytes of the pages of changes; adds the long tasks since the first page to `tasks`, in milliseconds. */
async function pagesOf(page: Page, tasks: number[]): Promise<{ bytes: number }> {
  const { bytes, long } = await page.evaluate(() => {
    const pages = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/replication?')) as PerformanceResourceTiming[];
    const begin = Math.min(...pages.map(({ responseEnd }) => responseEnd));
    const all = Reflect.get(globalThis, 'longTasks') as { startTime: number; duration: number }[];
    return {
      bytes: pages.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      long: all.filter(({ startTime }) => startTime > begin).map(({ duration }) => duration),
    };
  });
  tasks.push(...long);
  return { bytes };
}

function watchTasks(): void {
  const all: { startTime: number; duration: number }[] = [];
  Reflect.set(globalThis, 'longTasks', all);
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) all.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
}
