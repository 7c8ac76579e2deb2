import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type BrowserContext, type CDPSession, type Page } from 'playwright';
import sharp from 'sharp';
import type { LivreDocument } from '#shared/livres';
import type { Database } from '#server/plumbing/database/database';
import { findBrowser } from '../test/support/browser.ts';
import { householdOf } from './support/household.ts';
import { openCatalogue, PHONE, slowDown } from './support/page.ts';
import { bound, print, ratio, unbounded, type Measure } from './support/report.ts';

/** Number of pictures drawn; all other files are copies under other names. */
const DRAWN = 50;

/** The length of a frame: a longer task causes a visible stutter. */
const MAX_TASK_MS = 16;

/** Number of books with a cover. */
const COVERED = 3000;

const FLING_SCREENS = 12;
const FLINGS = 9;

/**
 * Measures a device with a cover for every book: the fetching and storing of covers, and the scrolling of the wall.
 */
export async function benchCouverturesDevice(all: readonly LivreDocument[]): Promise<void> {
  const livres = all.slice(0, COVERED);
  const household = await householdOf(livres, addCovers);
  const browser = await chromium.launch(await findBrowser());
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const { url } = household.server;
  const measures = [
    ...(await fill(context, url, livres.length)),
    ...(await scroll(context, url, livres.length)),
  ];
  await browser.close();
  await household.end();
  print(`A phone-sized Chromium with the covers of ${livres.length} books`, measures);
}

async function addCovers(database: Database, folder: string): Promise<void> {
  const covers = join(folder, 'couvertures');
  mkdirSync(covers);
  const drawn = await Promise.all(Array.from({ length: DRAWN }, (_, i) => draw(i)));
  const ids = database.prepare<[], { id: number }>('SELECT id FROM Livre').all();
  database.write((tx) => {
    const insert = tx.prepare<[string]>(
      `INSERT INTO Couverture (cle, type, taille, largeur, hauteur, couleur)
     VALUES (?, 'image/jpeg', 1, 400, 600, '#884422')`,
    );
    const choose = tx.prepare<[string, number]>('UPDATE Livre SET couvertureCle = ? WHERE id = ?');
    for (const [index, { id }] of ids.entries()) {
      const picture = drawn[index % DRAWN];
      if (picture === undefined) continue;
      const cle = createHash('sha256').update(String(id)).digest('hex');
      for (const [suffix, content] of Object.entries(picture))
        writeFileSync(join(covers, cle + suffix), content);
      insert.run(cle);
      choose.run(cle, id);
    }
  });
}

async function draw(seed: number): Promise<Readonly<Record<string, Buffer>>> {
  const hue = (seed * 47) % 360;
  const shapes = Array.from({ length: 24 }, (_, i) => {
    const [x, y, r] = [
      (i * 97 + seed * 31) % 400,
      (i * 151 + seed * 17) % 600,
      12 + ((i * 29) % 60),
    ];
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="hsl(${(hue + i * 37) % 360} 55% 55%)"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="600">
    <rect width="400" height="600" fill="hsl(${hue} 45% 40%)"/>${shapes.join('')}
    <text x="30" y="90" font-size="52" fill="white">Titre ${seed}</text></svg>`;
  const content = await sharp(Buffer.from(svg)).jpeg().toBuffer();
  const webp = (width: number) => sharp(content).resize({ width }).webp().toBuffer();
  return { '': content, '.ligne.webp': await webp(88), '.page.webp': await webp(480) };
}

async function fill(context: BrowserContext, url: string, books: number): Promise<Measure[]> {
  const page = await context.newPage();
  let bytes = 0;
  let requests = 0;
  page.on('response', (response) => {
    if (!response.url().includes('/api/couvertures/lignes')) return;
    requests++;
    void response.body().then((body) => (bytes += body.length));
  });
  const { complete } = await openCatalogue(page, url, books);
  const before = await usage(page);
  while ((await page.evaluate(countKept)) < books)
    await new Promise((resume) => setTimeout(resume, 250));
  const ms = await page.evaluate(() => performance.now());
  const after = await usage(page);
  await page.close();
  return [
    unbounded('seconds from the list to the last cover', (ms - complete) / 1_000, 's'),
    unbounded('requests', requests, ''),
    unbounded('bytes received', bytes / 1e6, 'MB'),
    unbounded('bytes on the device', (after - before) / 1e6, 'MB'),
  ];
}

async function countKept(): Promise<number> {
  const name = 'rayonnage|thumbnails|';
  const databases = await indexedDB.databases();
  if (!databases.some((database) => database.name === name)) return 0;
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(new Error('the thumbnails cannot be read'));
    opening.onsuccess = () => {
      const counting = opening.result.transaction('house').objectStore('house').count();
      counting.onsuccess = () => {
        opening.result.close();
        resolve(counting.result);
      };
    };
  });
}

const usage = (page: Page): Promise<number> =>
  page.evaluate(async () => (await navigator.storage.estimate()).usage ?? 0);

async function scroll(context: BrowserContext, url: string, books: number): Promise<Measure[]> {
  const empty = await emptyPage(context);
  const wall = await longestTasks(context, `${url}/?affichage=couvertures`, books);
  const list = await longestTasks(context, `${url}/?affichage=liste`, books);
  return [
    unbounded('flinging a page without anything, longest task, slowed down', empty, 'ms'),
    bound('flinging the wall, the longest task it adds', wall.flung - empty, MAX_TASK_MS, 'ms'),
    unbounded('the same in the list', list.flung - empty, 'ms'),
    ratio('jumping by letter, wall / list, slowed down', wall.jumped, list.jumped, 1.5),
  ];
}

async function longestTasks(
  context: BrowserContext,
  address: string,
  books: number,
): Promise<{ readonly flung: number; readonly jumped: number }> {
  const page = await context.newPage();
  await openCatalogue(page, address, books);
  await page.waitForLoadState('networkidle');
  await slowDown(page, PHONE);
  const session = await context.newCDPSession(page);
  const flung = await fling(session);
  await page.getByRole('slider').focus();
  await trace(session);
  for (let letter = 0; letter < 20; letter++) {
    await page.keyboard.press('ArrowDown');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
  }
  const jumped = await longestTask(session);
  await page.close();
  return { flung, jumped };
}

/** The cost of the browser and the machine alone: the same flings on an empty page. */
async function emptyPage(context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  await page.setContent('<body style="height: 800000px">');
  await slowDown(page, PHONE);
  const flung = await fling(await context.newCDPSession(page));
  await page.close();
  return flung;
}

/** Flings a page like a finger, and returns the longest task in milliseconds. */
async function fling(session: CDPSession): Promise<number> {
  await trace(session);
  for (let time = 0; time < FLINGS; time++)
    await session.send('Input.synthesizeScrollGesture', {
      x: 150,
      y: 400,
      yDistance: -740 * FLING_SCREENS * (time % 3 === 2 ? -1 : 1),
      speed: 6_000,
      gestureSourceType: 'touch',
    });
  return longestTask(session);
}

const trace = (session: CDPSession): Promise<unknown> =>
  session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
  });

interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly args: { readonly name?: string };
  /** CPU time in microseconds, so that other processes do not count. */
  readonly tdur?: number;
}

async function longestTask(session: CDPSession): Promise<number> {
  const events: TraceEvent[] = [];
  const take = ({ value }: { value: readonly object[] }) =>
    void events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', take);
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', take);
  const main = new Set(
    events.flatMap(({ name, tid, args }) =>
      name === 'thread_name' && args.name === 'CrRendererMain' ? [tid] : [],
    ),
  );
  const tasks = events.filter(({ name, tid }) => name.endsWith('RunTask') && main.has(tid));
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1_000));
}
