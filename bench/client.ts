import { readFileSync, statSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { BASE_LOCALE, LOCALES, type Locale } from '#shared/locale';
import { findBrowser } from '../test/support/browser.ts';
import { fetchDocuments } from './support/documents.ts';
import { householdOf } from './support/household.ts';
import { searchesFor } from './support/livres.ts';
import { median, quantile } from './support/timing.ts';
import {
  benchPage,
  openCatalogue,
  pageScript,
  PHONE,
  phone,
  slowDown,
  typeInto,
} from './support/page.ts';
import type {} from './page/bare.ts';
import type { Documents } from './page/bench.ts';
import { addTheRest } from './support/rest.ts';
import { longestTask, watchTasks } from './support/long-tasks.ts';
import { bound, print, ratio, unbounded, type Measure } from './support/report.ts';

const ROUNDS = 5;

/**
 * Measures a phone-sized Chromium: the first replica, then the start and the search offline.
 *
 * @param what a remark about the books, for the report
 */
export async function benchClient(livres: readonly LivreDocument[], what = ''): Promise<void> {
  const household = await householdOf(livres);
  const browser = await chromium.launch(await findBrowser());
  const { url } = household.server;
  await addTheRest(url);
  const script = await pageScript();
  const documents = await fetchDocuments(url);
  const measures = await firstSync(browser, url, script, documents);
  const context = await phone(browser);
  await settle(context, url, livres.length);
  measures.push(...(await parts(context, url, script, livres, documents)));
  const least = await leastTimes(context, url, livres);
  await household.end();
  measures.push(...(await offline(context, livres, url, least)));
  await browser.close();
  print(
    `A phone-sized Chromium, ${livres.length} books${what}, 500 series, 2000 issues, 300 wishes`,
    measures,
  );
}

async function firstSync(
  browser: Browser,
  url: string,
  script: string,
  documents: Documents,
): Promise<Measure[]> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  const books = documents['livres']?.length ?? 0;
  let scripts: readonly string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const context = await phone(browser);
    const page = await context.newPage();
    const { complete } = await openCatalogue(page, url, books);
    ours.push(complete - (await firstRequest(page)));
    scripts = await scriptsOf(page);
    const blank = await benchPage(context, url, script);
    theirs.push(await blank.evaluate((all) => bench.write(all), documents));
    await context.close();
  }
  return [ratio('first sync / raw Dexie bulkPut', ours, theirs, 0.6), ...weights(scripts)];
}

const firstRequest = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const asked = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/replication?'));
    return Math.min(...asked.map(({ startTime }) => startTime));
  });

async function scriptsOf(page: Page): Promise<string[]> {
  const paths = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith('/_app/') && path.endsWith('.js')),
  );
  return [...new Set(paths)];
}

function weights(scripts: readonly string[]): Measure[] {
  const first = scriptsOfPage(BASE_LOCALE);
  const later = scripts.filter((path) => !first.includes(path));
  const bounds = LOCALES.map((locale) => {
    const what = locale === BASE_LOCALE ? '' : `, in « ${locale} »`;
    const size = gzipKilobytes(scriptsOfPage(locale));
    return bound(`JavaScript that the first screen waits for, gzip${what}`, size, 125, 'kB');
  });
  return [
    ...bounds,
    bound('JavaScript that a first copy loads behind it, gzip', gzipKilobytes(later), 110, 'kB'),
  ];
}

/** The scripts that the page of a language names, which are the first screen's. */
function scriptsOfPage(locale: Locale): string[] {
  const name = locale === BASE_LOCALE ? 'shell.html' : `shell.${locale}.html`;
  const page = readFileSync(`build/client/${name}`, 'utf8');
  return [...new Set(page.match(/\/_app\/immutable\/[^"]+\.js/g) ?? [])];
}

/** The size of scripts in kB as gzip, which the build also stores. */
const gzipKilobytes = (paths: readonly string[]): number =>
  paths.reduce((sum, path) => sum + statSync(`build/client${path}.gz`).size, 0) / 1000;

async function settle(context: BrowserContext, url: string, books: number): Promise<void> {
  const page = await context.newPage();
  await openCatalogue(page, url, books);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  // Waits until the replica is in sync and the checkpoint of the next start is stored.
  await page.waitForFunction(() => {
    const keys = Object.keys(localStorage);
    return ['equal', 'first'].every((note) => keys.some((key) => key.includes(note)));
  });
  await page.close();
}

async function parts(
  context: BrowserContext,
  url: string,
  script: string,
  livres: readonly LivreDocument[],
  documents: Documents,
): Promise<Measure[]> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  const blank = await benchPage(context, url, script);
  await blank.evaluate((all) => bench.write(all), documents);
  await blank.close();
  for (let round = 0; round < ROUNDS; round++) {
    const page = await benchPage(context, url, script);
    await slowDown(page, PHONE);
    const copy = async () => ours.push(await page.evaluate(() => bench.readCopy()));
    const raw = async () => theirs.push(await page.evaluate(() => bench.readRaw()));
    // Alternate: the second reader finds the files in the system's cache.
    for (const read of round % 2 === 0 ? [copy, raw] : [raw, copy]) await read();
    await page.close();
  }
  const page = await benchPage(context, url, script);
  await slowDown(page, PHONE);
  const { catalogue, loop } = await page.evaluate(
    ([books, typed]) => bench.keystrokes(books, typed),
    [livres, searchesFor(livres)] as const,
  );
  await page.close();
  return [
    ratio('reading all at a start / raw Dexie read, slowed down', ours, theirs, 0.7),
    ratio('a keystroke / includes loop, slowed down', catalogue, loop, 0.25),
  ];
}

interface Least {
  readonly starts: readonly number[];
  readonly keystrokes: readonly number[][];
}

async function leastTimes(
  context: BrowserContext,
  url: string,
  livres: readonly LivreDocument[],
): Promise<Least> {
  const script = await pageScript('bare');
  const starts: number[] = [];
  const keystrokes: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await context.newPage();
    await slowDown(page, PHONE);
    await page.goto(`${url}/api/sante`);
    const loaded = performance.now();
    await page.evaluate(script);
    const ms = performance.now() - loaded;
    starts.push(ms + (await page.evaluate(() => bare.start())));
    keystrokes.push(
      await page.evaluate(([books, typed]) => bare.keystrokes(books, typed), [
        livres,
        searchesFor(livres).slice(0, 10),
      ] as const),
    );
    await page.close();
  }
  return { starts, keystrokes };
}

/** The server is already stopped; also sets the browser offline. */
async function offline(
  context: BrowserContext,
  livres: readonly LivreDocument[],
  url: string,
  least: Least,
): Promise<Measure[]> {
  await context.setOffline(true);
  const painted: number[] = [];
  const complete: number[] = [];
  const tasks: number[] = [];
  const typed: number[][] = [];
  const heaps: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await context.newPage();
    await page.addInitScript(watchTasks);
    await slowDown(page, PHONE);
    const moments = await openCatalogue(page, url, livres.length);
    painted.push(moments.painted);
    complete.push(moments.complete);
    tasks.push(await longestTask(page));
    typed.push(await typeInto(page, searchesFor(livres).slice(0, 10)));
    // Only in the last round: the garbage collection also drops compiled code, which the next start would compile
    // again.
    if (round === ROUNDS - 1) heaps.push(await heapMegabytes(page));
    await page.close();
  }
  const late = (rounds: readonly number[][]) => rounds.map((times) => quantile(times, 0.95));
  return [
    ratio('offline start to the first book / a bare page of all', painted, least.starts, 1.3),
    ratio('offline start to the whole list / a bare page of all', complete, least.starts, 2.4),
    bound('longest task of such a start', tasks, 50, 'ms'),
    ratio(
      'a keystroke to the laid-out list / a bare list',
      typed.map(median),
      least.keystrokes.map(median),
      3,
    ),
    ratio('such a keystroke, 95th percentile', late(typed), late(least.keystrokes), 3),
    unbounded('JavaScript’s memory of the page, searched', heaps, 'MB'),
  ];
}

async function heapMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}
