import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright';
import { Server } from '../test/e2e/support/server.ts';
import { findBrowser } from '../test/support/browser.ts';
import { attempt } from './support/attempt.ts';
import { buildIfStale } from './support/build.ts';

const FOLDER = 'docs/images';

const SIZES = {
  phone: { width: 360, height: 740 },
  desk: { width: 1280, height: 800 },
} as const;

interface Shot {
  name: string;
  size: keyof typeof SIZES;
  theme: 'light' | 'dark';
  path: string;
  /** A title that is there once the page is. */
  heading: string;
  /** Whether its book is opened first. */
  open?: true;
}

const shots: readonly Shot[] = [
  { name: 'phone-catalogue', size: 'phone', theme: 'light', path: '/', heading: '1984' },
  {
    name: 'phone-livre',
    size: 'phone',
    theme: 'light',
    path: '/?recherche=persepolis',
    heading: 'Persepolis',
    open: true,
  },
  {
    name: 'phone-prets',
    size: 'phone',
    theme: 'dark',
    path: '/prets',
    heading: 'Le Guépard',
  },
  {
    name: 'desk-catalogue',
    size: 'desk',
    theme: 'light',
    path: '/?typeDocument=Roman',
    heading: 'Au revoir là-haut',
    open: true,
  },
];

/** Takes the pictures of the README from the household of the demonstration. */
await attempt(async () => {
  await buildIfStale();
  const server = await Server.run(['demo/main.ts'], { ...process.env, PORT: '0' });
  const browser = await chromium.launch(await findBrowser());
  mkdirSync(FOLDER, { recursive: true });
  for (const shot of shots) {
    writeFileSync(`${FOLDER}/${shot.name}.webp`, await take(browser, server.url, shot));
    console.log(`${FOLDER}/${shot.name}.webp`);
  }
  await browser.close();
  await server.stop();
});

async function take(browser: Browser, url: string, shot: Shot): Promise<Buffer> {
  const context = await browser.newContext({
    viewport: SIZES[shot.size],
    deviceScaleFactor: shot.size === 'phone' ? 2 : 1.25,
    colorScheme: shot.theme,
    reducedMotion: 'reduce',
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
  });
  const page = await context.newPage();
  await page.goto(url + shot.path);
  const link = page.getByRole('main').getByRole('link', { name: shot.heading, exact: true });
  await link.waitFor();
  if (shot.open) {
    await link.click();
    await page.getByRole('heading', { name: shot.heading }).waitFor();
  }
  await page.evaluate(() => document.fonts.ready.then(() => null));
  const picture = await toWebp(page, await page.screenshot());
  await context.close();
  return picture;
}

/** Chromium itself makes the small file: nothing else on the machine needs to. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage();
  const url = await blank.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.8);
  }, png.toString('base64'));
  return Buffer.from(url.replace(/^.*,/, ''), 'base64');
}
