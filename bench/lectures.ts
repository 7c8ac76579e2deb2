import { chromium } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import type { Database } from '#server/plumbing/database/database';
import { findBrowser } from '../test/support/browser.ts';
import { besideBuffer } from './server.ts';
import { householdOf, type BenchHousehold } from './support/household.ts';
import { searchesFor } from './support/livres.ts';
import { CALLER, timeRequests } from './support/load.ts';
import { openFromRail, settle, timeOfPress, type, type Phone } from './support/opening.ts';
import { openCatalogue, PHONE, slowDown } from './support/page.ts';
import { print, ratio, unbounded, type Measure } from './support/report.ts';

const COUNT = 10_000;
const ROUNDS = 4;
const REQUESTS = 20;
const TILES = 'main .tile';

/** Measures one reader's ten thousand readings beside the same household without any. */
export async function benchLectures(livres: readonly LivreDocument[]): Promise<void> {
  const without = await householdOf(livres);
  const within = await householdOf(livres, furnish);
  print(`${livres.length} books, ${COUNT} readings`, [
    ...(await answered(without, within)),
    ...(await onScreen(livres, without, within)),
  ]);
  for (const household of [without, within]) await household.end();
}

/** Most readings are of the household's books, some of them read again; one in ten is of another book. */
const furnish = (database: Database): Promise<void> => {
  const sql = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})
    INSERT INTO Lecture (utilisateur, livreId, titre, auteurs, debut, fin, note, avis)
    SELECT ?, iif(i % 10, 1 + i % 7000, NULL), 'Roman ' || i, json_array('Nom ' || (i % 900)),
      iif(i % 3, NULL, printf('%d-%02d', 1990 + i % 37, 1 + i % 10)),
      printf('%d-%02d-%02d', 1990 + i % 37, 1 + i % 10, 1 + i % 28),
      iif(i % 4, 1 + i % 10, NULL), iif(i % 20, NULL, 'Un mot sur ce livre.')
    FROM n`;
  database.write((tx) => {
    tx.run(sql, CALLER);
  });
  return Promise.resolve();
};

async function answered(without: BenchHousehold, within: BenchHousehold): Promise<Measure[]> {
  const beside = async (path: string, most: number, what: string) => {
    const [ours = [], theirs = []] = await besideBuffer(within.server, [path], 1, REQUESTS);
    return ratio(what, ours, theirs, most);
  };
  const list = '/api/livres?limite=50';
  const urls = [within, without].map(({ server }) => server.url);
  const [read = [], bare = []] = await timeRequests(urls, [list], 1, REQUESTS * 10);
  const [rated = []] = await timeRequests(urls.slice(0, 1), [`${list}&tri=note`], 1, REQUESTS);
  return [
    await beside('/api/lectures', 8, 'all readings over HTTP / the same buffer'),
    await beside('/api/lectures?livre=12', 6, 'the readings of a book / the same buffer'),
    ratio('a list of 50 books / without readings', read, bare, 1.1),
    unbounded('the same sorted by stars', rated, 'ms'),
  ];
}

async function onScreen(
  livres: readonly LivreDocument[],
  ...households: readonly BenchHousehold[]
): Promise<Measure[]> {
  const browser = await chromium.launch(await findBrowser());
  const devices = await Promise.all(
    households.map(({ server }) => settle(browser, server.url, livres.length)),
  );
  const [without, within] = devices;
  if (without === undefined || within === undefined) throw new Error('two devices');
  const searches = searchesFor(livres, 10);
  const times: Record<
    'start' | 'bareStart' | 'typed' | 'bare' | 'wall' | 'auteurs' | 'annee',
    number[]
  > = { start: [], bareStart: [], typed: [], bare: [], wall: [], auteurs: [], annee: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.bareStart.push(await start(without, livres.length));
    times.start.push(await start(within, livres.length));
    times.bare.push(...(await type(without, '/', livres.length, searches)));
    times.typed.push(...(await type(within, '/', livres.length, searches)));
    times.auteurs.push(await openFromRail(within, '/auteurs'));
    times.wall.push(await openFromRail(within, '/lectures', TILES));
    times.annee.push(await openYear(within));
  }
  await browser.close();
  return [
    ratio('a start to the whole list / without readings', times.start, times.bareStart, 1.25),
    ratio('a keystroke to the laid out list / without', times.typed, times.bare, 1.1),
    ratio('opening « Mes lectures » / « Auteurs »', times.wall, times.auteurs, 1.5),
    ratio('opening « Mon année » / « Auteurs »', times.annee, times.auteurs, 1.5),
  ];
}

async function start({ context, url }: Phone, books: number): Promise<number> {
  const page = await context.newPage();
  await slowDown(page, PHONE);
  const { complete } = await openCatalogue(page, url, books);
  await page.close();
  return complete;
}

async function openYear({ context, url }: Phone): Promise<number> {
  const page = await context.newPage();
  await page.goto(`${url}/lectures/annee`);
  await page.locator('.piles').waitFor();
  await page.locator('main a[href="/lectures"]').first().click();
  await page.locator(TILES).first().waitFor();
  await slowDown(page, PHONE);
  const time = await timeOfPress(page, 'main a[href="/lectures/annee"]', 'main .piles');
  await page.close();
  return time;
}
