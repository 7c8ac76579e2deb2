import type { Page } from 'playwright';

interface LongTask {
  readonly startTime: number;
  readonly duration: number;
}

/** Records tasks of more than 50 ms; runs in a page from its beginning. */
export function watchTasks(): void {
  const all: LongTask[] = [];
  Reflect.set(globalThis, 'longTasks', all);
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) all.push({ startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
}

export async function longestTask(page: Page, since = 0): Promise<number> {
  const tasks = await page.evaluate(() => Reflect.get(globalThis, 'longTasks') as LongTask[]);
  const later = tasks.filter(({ startTime }) => startTime >= since);
  return Math.max(50, ...later.map(({ duration }) => duration));
}
