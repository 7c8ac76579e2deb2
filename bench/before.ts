import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { findBrowser } from '../test/support/browser.ts';
import type * as Household from './support/household.ts';
import { householdIn, type BenchHousehold } from './support/household.ts';
import { CALLER } from './support/load.ts';
import { openCatalogue, PHONE, phone, slowDown } from './support/page.ts';
import { addTheRest } from './support/rest.ts';
import { ratio, print, told, type Measure } from './support/report.ts';
import { gzipKilobytes } from './support/weight.ts';
import { SLOW_4G } from './support/slow-line.ts';

const ROUNDS = 5;

const DEVICES = 3;

const CHANGES = 5;

/** What may be later than before, of other tries of the same. */
const LATER = 1.05;

/** One of the two builds, what its rounds took in milliseconds, and what a page of it takes in MB. */
interface Side {
  readonly folder: string;
  readonly household: BenchHousehold;
  readonly times: Record<string, number[]>;
  readonly memory: number[];
}

/**
 * This build beside that of another checkout, in turns on one machine: what a person waits for.
 *
 * @param folder the other checkout, in which `npm run build` was run
 */
export async function benchBefore(livres: readonly LivreDocument[], folder: string): Promise<void> {
  const enter = await enterOf(folder, livres);
  const sides = await Promise.all([sideOf('.', enter), sideOf(folder, enter)]);
  const browser = await chromium.launch(await findBrowser());
  for (let round = 0; round < ROUNDS; round++)
    for (const side of round % 2 === 0 ? sides : [sides[1], sides[0]])
      await measure(browser, side, livres.length);
  await browser.close();
  const [now, before] = sides;
  const weights = sides.map(firstScreen);
  for (const { household } of sides) await household.end();
  const compared = Object.keys(now.times).map((what): Measure =>
    ratio(what, now.times[what] ?? [], before.times[what] ?? [], LATER),
  );
  print(`This build beside ${folder}, ${String(livres.length)} books`, [
    ...compared,
    told('memory of a page with all of it', now.memory, 'MB'),
    told('the same before', before.memory, 'MB'),
    told('JavaScript of the first screen, gzip', weights[0] ?? NaN, 'kB'),
    told('the same before', weights[1] ?? NaN, 'kB'),
  ]);
}

async function enterOf(
  folder: string,
  livres: readonly LivreDocument[],
): Promise<(path: string) => void> {
  const file = pathToFileURL(resolve(folder, 'bench/support/household.ts')).href;
  const { enterInto } = (await import(file)) as typeof Household;
  return (path) => enterInto(path, livres);
}

async function sideOf(folder: string, enter: (path: string) => void): Promise<Side> {
  const household = await householdIn(enter, folder);
  await addTheRest(household.server.url);
  return { folder, household, times: {}, memory: [] };
}

async function measure(browser: Browser, side: Side, books: number): Promise<void> {
  const note = (what: string, ms: number) => (side.times[what] ??= []).push(ms);
  const { url } = side.household.server;
  const visited = await phone(browser);
  const first = await openCatalogue(await visited.newPage(), url, books);
  note('a first copy, from the address to the whole list', first.complete);
  await whenNoted(visited);
  side.memory.push(await memoryOf(visited.pages()[0]));
  for (const ms of await changeToDevices(browser, visited, url, books))
    note('a change, until the third device shows it', ms);
  for (const page of visited.pages()) await page.close();
  const { painted, complete } = await offlineStart(visited, url, books);
  note('offline start to the first painted book, slowed down', painted);
  note('offline start to the whole list, slowed down', complete);
  await visited.close();
  const slow = await phone(browser);
  const page = await slow.newPage();
  await slowDown(page, PHONE);
  const session = await slow.newCDPSession(page);
  await session.send('Network.emulateNetworkConditions', SLOW_4G);
  note('first book of a first visit, slow 4G, slowed down', await firstBook(page, url));
  await slow.close();
}

async function whenNoted(context: BrowserContext): Promise<void> {
  const [page] = context.pages();
  await page?.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page?.waitForFunction(() =>
    Object.keys(localStorage).some((key) => key.includes('.equal.')),
  );
}

async function memoryOf(page: Page | undefined): Promise<number> {
  if (page === undefined) return NaN;
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}

/** A book added by a script: milliseconds until the last of the devices has it in its list, a change each. */
async function changeToDevices(
  browser: Browser,
  known: BrowserContext,
  url: string,
  books: number,
): Promise<number[]> {
  const others = await Promise.all(
    Array.from({ length: DEVICES - 1 }, async () => {
      const context = await phone(browser);
      await openCatalogue(await context.newPage(), url, books);
      return context;
    }),
  );
  const contexts = [known, ...others];
  const pages = contexts.flatMap((context) => context.pages().slice(0, 1));
  const times: number[] = [];
  for (let nth = 0; nth < CHANGES; nth++) times.push(await changeTo(pages, url));
  await Promise.all(others.map((context) => context.close()));
  return times;
}

async function changeTo(pages: readonly Page[], url: string): Promise<number> {
  const titre = `0 ${String(performance.now())}`;
  const shown = pages.map((page) => page.getByText(titre, { exact: true }).first().waitFor());
  const begin = performance.now();
  const response = await fetch(`${url}/api/livres?confirmerDoublon=true`, {
    method: 'POST',
    headers: { SSO_USER: CALLER, 'Content-Type': 'application/json' },
    body: JSON.stringify({ titre, format: 'Physique', auteurs: [] }),
  });
  const { id } = (await response.json()) as { id: number };
  await Promise.all(shown);
  const ms = performance.now() - begin;
  await fetch(`${url}/api/livres/${String(id)}`, {
    method: 'DELETE',
    headers: { SSO_USER: CALLER },
  });
  await Promise.all(
    pages.map((page) => page.getByText(titre).first().waitFor({ state: 'detached' })),
  );
  return ms;
}

async function offlineStart(context: BrowserContext, url: string, books: number) {
  await context.setOffline(true);
  const page = await context.newPage();
  await slowDown(page, PHONE);
  return openCatalogue(page, url, books);
}

async function firstBook(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.getByRole('listitem').first().waitFor();
  return page.evaluate(() => performance.now());
}

function firstScreen({ folder }: Side): number {
  const shell = readFileSync(join(folder, 'build/client/shell.html'), 'utf8');
  const scripts = new Set(shell.match(/_app\/[^"]*\.js/g));
  return gzipKilobytes([...scripts], folder);
}
