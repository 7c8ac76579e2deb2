import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pixelmatch from 'pixelmatch';
import { chromium, type Browser, type Page } from 'playwright';
import sharp from 'sharp';
import { objectKeys } from '#shared/object-keys';
import { Server } from '../test/e2e/support/server.ts';
import { findBrowser } from '../test/support/browser.ts';
import { INSTANT } from '../test/pictures/instant.ts';
import { SCREENS, show, untilEqual } from '../test/e2e/support/screens.ts';
import { attempt } from './support/attempt.ts';
import { buildIfStale } from './support/build.ts';

/**
 * `npm run prove -- pictures`: compares every screen of the demonstration, on a phone and on a desk, light and dark,
 * with its golden picture; those that differ are left in `.cache/pictures`. `--update` renews the golden ones. With
 * parts of names, those screens alone (docs/decisions/0019-golden-pictures.md).
 */

const GOLDEN = 'test/pictures/golden';
const SEEN = '.cache/pictures';

const SIZES = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 800 } } as const;
const THEMES = ['light', 'dark'] as const;

/** How far a pixel may be off, from 0 to 1, and how many pixels of a picture may be further off. */
const THRESHOLD = 0.1;
const MAX_PIXELS = 40;

/** Small, and the same for the same pixels: a picture is compared as it is stored. */
const WEBP = { quality: 50, effort: 6 } as const;

const { values, positionals } = parseArgs({
  options: { update: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const screens = SCREENS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);

let taken = 0;

await attempt(async () => {
  await buildIfStale();
  for (const folder of [GOLDEN, SEEN]) mkdirSync(folder, { recursive: true });
  const date = new URL('../test/pictures/fixed-date.ts', import.meta.url).href;
  const settings = { ...process.env, PORT: '0', TZ: 'Europe/Paris' };
  const server = await Server.run(['--import', date, 'demo/main.ts'], settings);
  const browser = await chromium.launch(await findBrowser());
  let failed = 0;
  try {
    for (const size of objectKeys(SIZES))
      for (const theme of THEMES) failed += await look(browser, server.url, size, theme);
  } finally {
    await browser.close();
    await server.stop();
  }
  console.log(`${String(taken - failed)} passed, ${String(failed)} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});

async function look(
  browser: Browser,
  origin: string,
  size: keyof typeof SIZES,
  theme: (typeof THEMES)[number],
): Promise<number> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(INSTANT + 3_600_000);
  await page.goto(origin);
  await untilEqual(page);
  let failed = 0;
  for (const screen of screens.filter(({ only = size }) => only === size)) {
    await show(page, origin, screen);
    taken++;
    const name = `${screen.name}.${size}.${theme}`;
    const picture = await sharp(await take(page))
      .webp(WEBP)
      .toBuffer();
    const off = values.update ? 0 : await countOff(name, picture);
    if (values.update) writeFileSync(join(GOLDEN, `${name}.webp`), picture);
    if (off <= MAX_PIXELS) continue;
    failed++;
    console.log(`✗ ${name}: ${Number.isFinite(off) ? `${String(off)} pixels` : 'no such picture'}`);
  }
  await context.close();
  return failed;
}

/** Masks what differs between runs: versions, sizes, revisions, the port in labels, a random book. */
function take(page: Page): Promise<Buffer> {
  const mask = ['main dl dd', 'main .sheet img', 'aside'].map((part) => page.locator(part));
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
