import { chromium, type Page } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import { findBrowser } from '../test/support/browser.ts';
import { furnish } from './heavy-screens.ts';
import { plainHouseholdOf } from './support/household.ts';
import { makeLivres } from './support/livres.ts';
import { longestTask, watchTasks } from './support/long-tasks.ts';
import { settle, timeOfPress, type Phone } from './support/opening.ts';
import { PHONE, slowDown } from './support/page.ts';
import { addTheRest } from './support/rest.ts';
import { bound, print, type Measure } from './support/report.ts';
import { median } from './support/timing.ts';

const BOOKS = [10_000, 100_000];

/** Fewer rounds for the large household, which takes long to open. */
const ROUNDS: Readonly<Record<number, number>> = { 10_000: 3 };
const MAX_TASK_MS = 100;

/** Time for the deferred work of a screen. */
const SETTLING_MS = 1_500;

/** The screen from which the others are opened; its content does not grow with the household. */
const START = '/reglages';

/** The address of each screen, with the selector to wait for. */
const SCREENS: Readonly<Record<string, string>> = {
  '/': 'main [role=listitem]',
  '/?affichage=couvertures': 'main [role=listitem]',
  '/livres/5000': 'main h1',
  '/livres/5000/modifier': 'main form input',
  '/livres/ajouter': 'main form input',
  '/auteurs': 'main .row',
  '/auteurs/50': 'main h1',
  '/prets': 'main .person .row',
  '/rangement': 'main .board',
  '/rangement/20': 'main h1',
  '/rangement/recolement': 'main h1',
  '/series': 'main .row',
  '/series/50': 'main h1',
  '/revues': 'main .row',
  '/revues/1': 'main h1',
  '/lectures': 'main h1',
  '/lectures/annee': 'main h1',
  '/souhaits': 'main .row',
  '/souhaits/ajouter': 'main form input',
  '/modifications': 'main h1',
  '/importer/a-completer': 'main h1',
  '/imprimer': 'main .catalogue li',
};

/** Measures opening each screen by a link on a slow phone, in a small household and in a large one. */
export async function benchScreens(all: readonly LivreDocument[]): Promise<void> {
  for (const count of BOOKS)
    await measureAll(count <= all.length ? all.slice(0, count) : makeLivres(count));
}

async function measureAll(livres: readonly LivreDocument[]): Promise<void> {
  const household = await plainHouseholdOf(livres, furnish);
  await addTheRest(household.server.url);
  const browser = await chromium.launch(await findBrowser());
  try {
    const device = await settle(browser, household.server.url, livres.length);
    const measures: Measure[] = [];
    for (const [path, view] of Object.entries(SCREENS))
      measures.push(await measure(device, path, view, ROUNDS[livres.length] ?? 1));
    print(
      `The longest task of opening a screen, slowed down ${PHONE} times, ${livres.length} books`,
      measures,
    );
  } finally {
    await browser.close();
    await household.end();
  }
}

async function measure(
  { context, url }: Phone,
  path: string,
  view: string,
  rounds: number,
): Promise<Measure> {
  const page = await context.newPage();
  await page.addInitScript(watchTasks);
  // Open each screen once before, to cache its files as on a first visit.
  await open(page, url, path, view);
  const tasks: number[] = [];
  const views: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await slowDown(page, 1);
    await page.goto(url + START);
    await page.locator('main h1').first().waitFor();
    await page.waitForTimeout(SETTLING_MS);
    await addLink(page, path);
    await slowDown(page, PHONE);
    const since = await page.evaluate(() => performance.now());
    views.push(await timeOfPress(page, '#opened', `${view}:not([data-before])`));
    await page.waitForTimeout(SETTLING_MS);
    tasks.push(await longestTask(page, since));
  }
  await page.close();
  return {
    ...bound(path, tasks, MAX_TASK_MS, 'ms'),
    detail: `first view ${median(views).toFixed(0)} ms`,
  };
}

async function open(page: Page, url: string, path: string, view: string): Promise<void> {
  await page.goto(url + START);
  await addLink(page, path);
  await page.locator('#opened').dispatchEvent('click');
  await page.locator(view).first().waitFor();
}

/**
 * Adds a link like the application's own. Marks the present elements, since the next screen may match the same
 * selector.
 */
const addLink = (page: Page, path: string): Promise<void> =>
  page.evaluate((href) => {
    for (const before of document.querySelectorAll('main *'))
      before.setAttribute('data-before', '');
    const link = document.createElement('a');
    link.id = 'opened';
    link.href = href;
    link.textContent = href;
    document.body.append(link);
  }, path);
