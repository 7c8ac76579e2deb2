import { chromium, type Page } from 'playwright';
import type { LivreDocument } from '#shared/livres';
import type { Database } from '#server/plumbing/database/database';
import { findBrowser } from '../test/support/browser.ts';
import { CALLER } from './support/load.ts';
import { householdOf } from './support/household.ts';
import { longestTask, watchTasks } from './support/long-tasks.ts';
import { settle, timeOfPress, type Phone } from './support/opening.ts';
import { PHONE, slowDown } from './support/page.ts';
import { bound, print, type Measure } from './support/report.ts';

const LIVRES = 6_000;
const EMPLACEMENTS = 400;
const ROOMS = 12;
const SOUHAITS = 3_000;
const EMPRUNTEURS = 600;

const MAX_VIEW_MS = 500;
const MAX_TASK_MS = 100;

interface HeavyScreen {
  readonly name: string;
  readonly path: string;
  /** The control to press, and the text to wait for afterwards. */
  readonly press: string;
  readonly view: string;
}

const SCREENS: readonly HeavyScreen[] = [
  {
    name: `« Rangement », ${EMPLACEMENTS} locations of ${LIVRES} books`,
    path: '/prets?rendre',
    press: 'nav a[href="/rangement"]',
    view: 'main .board .spine',
  },
  {
    name: `« Prêts », ${EMPRUNTEURS} borrowers`,
    path: '/souhaits',
    press: 'nav a[href="/prets"]',
    view: 'main .person .row',
  },
  {
    name: `« Réordonner », ${SOUHAITS} wishes`,
    path: '/souhaits',
    // The order can be changed once the reader is known.
    press: 'main button[aria-pressed]:not([disabled], [aria-disabled=true])',
    view: 'main li [data-handle]',
  },
  {
    name: `« Imprimer », ${LIVRES} books`,
    path: '/reglages',
    press: 'main a[href="/imprimer"]',
    view: 'main .catalogue li',
  },
];

/** Measures the screens whose content grows with the household, on a slow phone and on a desk. */
export async function benchHeavyScreens(livres: readonly LivreDocument[]): Promise<void> {
  const books = livres.slice(0, LIVRES);
  const household = await householdOf(books, async (database) => furnish(database));
  const browser = await chromium.launch(await findBrowser());
  try {
    const device = await settle(browser, household.server.url, books.length);
    const measures: Measure[] = [];
    for (const screen of SCREENS) measures.push(...(await measure(device, screen)));
    print(`Screens that grow with the household, slowed down ${PHONE} times`, measures);
  } finally {
    await browser.close();
    await household.end();
  }
}

async function measure({ context, url }: Phone, screen: HeavyScreen): Promise<Measure[]> {
  const { name, path, press, view } = screen;
  const page = await context.newPage();
  await page.addInitScript(watchTasks);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(url + path);
  const link = page.locator(press).first();
  await link.waitFor();
  await loadAhead(page, screen);
  await link.waitFor();
  await slowDown(page, PHONE);
  const since = await page.evaluate(() => performance.now());
  const time = await timeOfPress(page, press, view);
  await page.waitForTimeout(SETTLING_MS);
  const longest = await longestTask(page, since);
  const nodes = await page.evaluate(() => document.querySelectorAll('main *').length);
  await page.close();
  return [
    { ...bound(`${name}: first view`, time, MAX_VIEW_MS, 'ms'), detail: `${nodes} elements` },
    bound(`${name}: longest task`, longest, MAX_TASK_MS, 'ms'),
  ];
}

/** Time for the deferred work of a screen. */
const SETTLING_MS = 4_000;

/** Loads the screen's files, as a first visit does. */
async function loadAhead(page: Page, { path, press, view }: HeavyScreen): Promise<void> {
  await page.locator(press).first().click();
  await page.locator(view).first().waitFor();
  await page.goto(new URL(path, page.url()).href);
}

export function furnish(database: Database): void {
  const numbers = (count: number) =>
    `(WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT ${count}) SELECT i FROM n)`;
  database.write((tx) => {
    tx.run(`INSERT INTO Emplacement (id, nom, nomNormalise, parentId, position)
      SELECT i, 'Étagère ' || i, 'etagere ' || i, iif(i <= ${ROOMS}, NULL, 1 + i % ${ROOMS}), i
      FROM ${numbers(EMPLACEMENTS)}`);
    tx.run(
      `UPDATE Livre SET emplacementId = ${ROOMS} + 1 + id % (${EMPLACEMENTS} - ${ROOMS}), nombrePages = 90 + id * 37 % 700`,
    );
    tx.run(
      `INSERT INTO Souhait (utilisateur, titre, auteur, cleOeuvre, auteurNormalise, dateAjout, rang, ordre)
       SELECT ?, 'Un souhait ' || i, 'Une autrice', 'un souhait ' || i, 'une autrice', '2026-01-01T00:00:00.000Z', i, i
       FROM ${numbers(SOUHAITS)}`,
      CALLER,
    );
    tx.run(`INSERT INTO Pret (livreId, emprunteur, datePret)
      SELECT i, 'Emprunteuse ' || (i % ${EMPRUNTEURS}), '2026-10-' || printf('%02dT12:00:00.000Z', 1 + i % 28)
      FROM ${numbers(2 * EMPRUNTEURS)}`);
  });
}
