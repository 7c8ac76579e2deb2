import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { findBrowser } from '../test/support/browser.ts';
import { fetchDocuments } from './support/documents.ts';
import { householdOf } from './support/household.ts';
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
import type { Documents } from './support/page-bench.ts';
import { addTheRest } from './support/rest.ts';
import { bound, print, ratio, type Measure } from './support/report.ts';
import { measureSlowLine } from './slow-line.ts';

const ROUNDS = 6;

/** One frame of a screen, in milliseconds. */
const FRAME = 16.7;

/** A phone-sized Chromium: first sync, then the start and the search without a network. */
export async function benchClient(livres: readonly LivreDocument[]): Promise<void> {
  const household = await householdOf(livres);
  const browser = await chromium.launch(await findBrowser());
  const { url } = household.server;
  await addTheRest(url);
  const script = await pageScript();
  const documents = await fetchDocuments(url);
  const measures = await firstSync(browser, url, script, documents);
  measures.push(...(await measureSlowLine(browser, url, livres.length)));
  const context = await phone(browser);
  await settle(context, url, livres.length);
  measures.push(...(await parts(context, url, script, livres, documents)));
  await household.end();
  measures.push(...(await offline(context, url, livres)));
  await browser.close();
  print(
    `A phone-sized Chromium, ${livres.length} books, 500 series, 2000 issues, 300 wishes`,
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
  let weight = NaN;
  for (let round = 0; round < ROUNDS; round++) {
    const context = await phone(browser);
    const page = await context.newPage();
    const { complete } = await openCatalogue(page, url, books);
    ours.push(complete - (await firstRequest(page)));
    weight = await scriptWeight(page);
    const blank = await benchPage(context, url, script);
    theirs.push(await blank.evaluate((all) => bench.write(all), documents));
    await context.close();
  }
  return [
    ratio('first sync / raw Dexie bulkPut', median(ours), median(theirs), 1.5),
    bound('JavaScript of the first load, gzip', weight, 150, 'kB'),
  ];
}

/** When the first page of changes was asked for, in milliseconds after the navigation began. */
const firstRequest = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const asked = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/replication?'));
    return Math.min(...asked.map(({ startTime }) => startTime));
  });

/** What the page's scripts weigh as gzip, in kB; the build has them so beside the files. */
async function scriptWeight(page: Page): Promise<number> {
  const paths = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith('/_app/') && path.endsWith('.js')),
  );
  const sizes = [...new Set(paths)].map(
    (path) => readFileSync(join('build/client', `${path}.gz`)).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

/** A device that has everything: the replica is whole and the application starts by itself. */
async function settle(context: BrowserContext, url: string, books: number): Promise<void> {
  const page = await context.newPage();
  await openCatalogue(page, url, books);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.close();
}

/** Costs of a start and of a keystroke, beside the least that they could be. */
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
    // In turns: the second reader finds the files in the cache of the system.
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
    ratio('reading all at start / raw Dexie read, slowed down', median(ours), median(theirs), 1.2),
    ratio('a keystroke / includes loop, slowed down', catalogue, loop, 1),
  ];
}

/** The server is stopped already; the browser is set offline as well. */
async function offline(
  context: BrowserContext,
  url: string,
  livres: readonly LivreDocument[],
): Promise<Measure[]> {
  await context.setOffline(true);
  const painted: number[] = [];
  const typed: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const page = await context.newPage();
    await slowDown(page, PHONE);
    painted.push((await openCatalogue(page, url, livres.length)).painted);
    typed.push(...(await typeInto(page, searchesFor(livres).slice(0, 10))));
    await page.close();
  }
  return [
    bound('offline start to the first painted book, slowed down', median(painted), 1000, 'ms'),
    bound('a keystroke to the laid out list, slowed down', median(typed), FRAME, 'ms'),
    bound('such a keystroke, 95th percentile', quantile(typed, 0.95), FRAME, 'ms'),
  ];
}

/** What people type: the first words of some books, or their author's name. */
function searchesFor(livres: readonly LivreDocument[]): string[] {
  const some = livres.filter((_, i) => i % Math.ceil(livres.length / 40) === 0);
  return some.map(({ titreNormalise, auteurs }, i) =>
    (i % 2 === 0 ? titreNormalise : (auteurs[0]?.nom ?? 'a').toLowerCase()).slice(0, 12),
  );
}
