import { chromium, type Page } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { findBrowser } from '../test/support/browser.ts';
import { householdOf } from './support/household.ts';
import { CALLER } from './support/load.ts';
import { openCatalogue, phone } from './support/page.ts';
import { bound, print, unbounded } from './support/report.ts';

const BOOKS = 2_000;
const HOURS = 24;
/** How many times a day the phone is taken out. */
const LOOKS = 50;
const HOUR_MS = 3_600_000;
/** Gives the replica time to exchange an hour's changes. */
const REST_MS = 60;

/**
 * Simulates a day of a phone with the open application in a pocket: the clock is moved on hour by hour, and a book is
 * added each hour. Then the phone is looked at fifty times, each after an added book. The page gets the browser's
 * visibility events.
 */
export async function benchPocket(all: readonly LivreDocument[]): Promise<void> {
  const livres = all.slice(0, BOOKS);
  const household = await householdOf(livres);
  const browser = await chromium.launch(await findBrowser());
  const { url } = household.server;
  const context = await phone(browser);
  const page = await context.newPage();
  await page.clock.install();
  await page.addInitScript(watchPocket);
  const traffic = await watchTraffic(page);
  await openCatalogue(page, url, livres.length);
  // After a first copy the device still loads the application's files and the covers.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.clock.runFor(HOUR_MS);
  await page.waitForTimeout(3_000);

  await hide(page, true);
  traffic.begin();
  const before = await timersOf(page);
  for (let hour = 0; hour < HOURS; hour++) {
    await addLivre(url, titreOf(hour));
    await page.clock.runFor(HOUR_MS);
    await page.waitForTimeout(REST_MS);
  }
  const day = traffic.end();
  const timers = (await timersOf(page)) - before;

  await hide(page, false);
  await shown(page, titreOf(HOURS - 1));
  const looks = [];
  for (let look = 0; look < LOOKS; look++) {
    await hide(page, true);
    await page.waitForTimeout(REST_MS);
    const titre = titreOf(HOURS + look);
    await addLivre(url, titre);
    traffic.begin();
    await hide(page, false);
    await shown(page, titre);
    await page.waitForTimeout(REST_MS);
    looks.push(traffic.end());
  }
  await browser.close();
  await household.end();
  print(`A day of a phone in a pocket, ${livres.length} books`, [
    bound('requests while it is hidden', day.requests, 0, ''),
    unbounded('bytes while it is hidden', day.bytes, 'B'),
    unbounded('timers that wake it while it is hidden', timers, ''),
    bound(
      'requests each time it comes forward, the stream of news apart',
      looks.map(({ requests }) => requests),
      1,
      '',
    ),
    unbounded(
      'bytes each time it comes forward',
      looks.map(({ bytes }) => bytes),
      'B',
    ),
  ]);
}

/** Titles that sort first, the newest at the top, so that each is on the screen. */
const titreOf = (n: number): string => `000 ${String(999 - n)}`;

async function addLivre(url: string, titre: string): Promise<void> {
  const { ok } = await fetch(`${url}/api/livres`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', SSO_USER: CALLER },
    body: JSON.stringify({ titre, auteurs: ['Anna'], format: 'Physique' }),
  });
  if (!ok) throw new Error('a book was refused');
}

const shown = (page: Page, titre: string): Promise<unknown> =>
  page.locator('main [role=listitem]', { hasText: titre }).first().waitFor();

const STREAM = '/api/replication/evenements';

async function watchTraffic(page: Page) {
  let [requests, bytes] = [0, 0];
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.requestWillBeSent', ({ request }) => {
    if (!request.url.includes(STREAM)) requests++;
  });
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  return {
    begin: () => {
      [requests, bytes] = [0, 0];
    },
    end: () => ({ requests, bytes }),
  };
}

const hide = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Reflect.set(globalThis, 'isHidden', hidden);
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);

const timersOf = (page: Page): Promise<number> =>
  page.evaluate(() => Number(Reflect.get(globalThis, 'timers')));

/** Runs in a page from its beginning: controls its visibility, and counts its timers. */
function watchPocket(): void {
  Reflect.set(globalThis, 'timers', 0);
  const count = () => Reflect.set(globalThis, 'timers', Reflect.get(globalThis, 'timers') + 1);
  Object.defineProperty(document, 'visibilityState', {
    get: () => (Reflect.get(globalThis, 'isHidden') === true ? 'hidden' : 'visible'),
  });
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const plain = globalThis[name];
    const counted = (work: () => void, ms?: number): unknown =>
      plain(() => {
        count();
        work();
      }, ms);
    Reflect.set(globalThis, name, counted);
  }
}
