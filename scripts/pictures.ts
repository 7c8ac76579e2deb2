import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pixelmatch from 'pixelmatch';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright';
import sharp from 'sharp';
import { createServer, type ViteDevServer } from 'vite';
import { objectKeys } from '#shared/object-keys';
import { Server } from '../test/e2e/support/server.ts';
import { findBrowser } from '../test/support/browser.ts';
import { INSTANT } from '../test/pictures/instant.ts';
import { PICTURES, show, untilEqual } from '../test/e2e/support/screens.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { buildIfStale } from './support/build.ts';

/**
 * `npm run prove -- pictures`: compares each screen of the demonstration (phone and desk, light and dark) and each
 * group of parts of the gallery (src/atelier) with its golden picture; differing ones are left in `.cache/pictures`.
 * `--update` renews the golden ones; parts of names choose screens (docs/decisions/0019-golden-pictures.md).
 */

const GOLDEN = 'test/pictures/golden';
const SEEN = '.cache/pictures';

const SIZES = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } } as const;
const THEMES = ['light', 'dark'] as const;

/** The tolerated difference of a pixel, from 0 to 1, and the number of pixels that may exceed it. */
const THRESHOLD = 0.1;
const MAX_PIXELS = 80;

/** Small and deterministic: pictures are compared as they are stored. */
const WEBP = { quality: 50, effort: 6 } as const;

const { values, positionals } = parseArgs({
  options: { update: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const screens = PICTURES.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);

/** The groups of the component gallery, each with its own picture; chosen by « atelier ». */
const GROUPS = ['controls', 'fields', 'forms', 'rows', 'states', 'lists'].filter(
  (id) => positionals.length === 0 || positionals.some((part) => `atelier-${id}`.includes(part)),
);

/** The frame's fixed parts would cover the components. */
const WITHOUT_FRAME =
  '.skip-link, .tab-bar, .dock { display: none !important } main header, .foot-bar { position: static !important }';

let taken = 0;

await exitOnError(async () => {
  await buildIfStale();
  for (const folder of [GOLDEN, SEEN]) mkdirSync(folder, { recursive: true });
  const date = new URL('../test/pictures/fixed-date.ts', import.meta.url).href;
  const settings = { ...process.env, PORT: '0', TZ: 'Europe/Paris' };
  const server = await Server.run(['--import', date, 'demo/main.ts'], settings);
  const workshop = GROUPS.length === 0 ? null : await serveWorkshop(server.url);
  const browser = await chromium.launch(await findBrowser());
  let failed = 0;
  try {
    for (const size of objectKeys(SIZES))
      for (const theme of THEMES) {
        const context = await contextOf(browser, size, theme);
        const page = await context.newPage();
        failed += await look(page, server.url, size, theme);
        const [address] = workshop?.resolvedUrls?.local ?? [];
        if (address !== undefined) failed += await lookAround(page, address, size, theme);
        await context.close();
      }
  } finally {
    await browser.close();
    await workshop?.close();
    await server.stop();
  }
  console.log(`${String(taken - failed)} passed, ${String(failed)} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});

/** Serves the gallery by the development server: no build contains it. */
async function serveWorkshop(api: string): Promise<ViteDevServer> {
  process.env['API_URL'] = api;
  process.env['ATELIER'] = '1';
  const vite = await createServer({ server: { host: '127.0.0.1', hmr: false }, logLevel: 'error' });
  return vite.listen();
}

function contextOf(
  browser: Browser,
  size: keyof typeof SIZES,
  theme: (typeof THEMES)[number],
): Promise<BrowserContext> {
  return browser.newContext({
    viewport: SIZES[size],
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    serviceWorkers: 'block',
  });
}

async function look(
  page: Page,
  origin: string,
  size: keyof typeof SIZES,
  theme: (typeof THEMES)[number],
): Promise<number> {
  await page.clock.setFixedTime(INSTANT + 3_600_000);
  await page.goto(origin);
  await untilEqual(page);
  let failed = 0;
  for (const screen of screens.filter(({ only = size }) => only === size)) {
    const name = `${screen.name}.${size}.${theme}`;
    try {
      await show(page, origin, screen);
    } catch (error) {
      throw new Error(`${name} did not come`, { cause: error });
    }
    failed += await compare(name, await take(page));
  }
  return failed;
}

/** Takes each group of components as a whole, however high. */
async function lookAround(
  page: Page,
  origin: string,
  size: keyof typeof SIZES,
  theme: (typeof THEMES)[number],
): Promise<number> {
  await openWorkshop(page, new URL('atelier', origin).href);
  await page.evaluate(() => document.fonts.ready);
  let failed = 0;
  for (const id of GROUPS) {
    const group = page.locator(`section#${id}`);
    failed += await compare(
      `atelier-${id}.${size}.${theme}`,
      await group.screenshot({ animations: 'disabled', style: WITHOUT_FRAME }),
    );
  }
  return failed;
}

/** Opened again while Vite still bundles dependencies: their first addresses are then outdated. */
async function openWorkshop(page: Page, address: string): Promise<void> {
  for (let left = 4; ; left--) {
    await page.goto(address);
    try {
      await page.locator('[data-part]').last().waitFor({ timeout: 30_000 });
      return;
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

/** Compares a picture with its golden one, or replaces that; returns 1 if it differs. */
async function compare(name: string, screenshot: Buffer): Promise<0 | 1> {
  taken++;
  const picture = await sharp(screenshot).webp(WEBP).toBuffer();
  if (values.update) writeFileSync(join(GOLDEN, `${name}.webp`), picture);
  const off = values.update ? 0 : await countOff(name, picture);
  if (off <= MAX_PIXELS) return 0;
  console.log(`✗ ${name}: ${Number.isFinite(off) ? `${String(off)} pixels` : 'no such picture'}`);
  return 1;
}

/** Masks everything that differs between runs: versions, sizes, revisions, the port in labels, a random book. */
function take(page: Page): Promise<Buffer> {
  const masked = ['main dl dd', 'main .sheet img', 'aside', 'main .drawn > a'];
  const mask = masked.map((selector) => page.locator(selector));
  return page.screenshot({ mask, animations: 'disabled' });
}

async function countOff(name: string, picture: Buffer): Promise<number> {
  const [golden, seen, difference] = [
    join(GOLDEN, `${name}.webp`),
    join(SEEN, `${name}.webp`),
    join(SEEN, `${name}.difference.png`),
  ];
  for (const path of [seen, difference]) rmSync(path, { force: true });
  if (!existsSync(golden)) {
    writeFileSync(seen, picture);
    return Infinity;
  }
  const [a, b] = await Promise.all([readFileSync(golden), picture].map(pixelsOf));
  if (a?.info.width !== b?.info.width || a?.info.height !== b?.info.height) return Infinity;
  if (!a || !b) return Infinity;
  const { width, height } = a.info;
  const drawn = Buffer.alloc(a.data.length);
  const off = pixelmatch(a.data, b.data, drawn, width, height, { threshold: THRESHOLD });
  if (off <= MAX_PIXELS) return off;
  writeFileSync(seen, picture);
  await sharp(drawn, { raw: { width, height, channels: 4 } })
    .png()
    .toFile(difference);
  return off;
}

function pixelsOf(picture: Buffer) {
  return sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
}
