import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium, type Browser } from 'playwright';
import sharp from 'sharp';
import { LOCALES, type Locale } from '#shared/locale';
import { Server } from '../test/e2e/support/server.ts';
import { PICTURES, show, type Screen } from '../test/e2e/support/screens.ts';
import { findBrowser } from '../test/support/browser.ts';
import { exitOnError } from './support/exit-on-error.ts';
import { buildIfStale } from './support/build.ts';

const SIZES = {
  phone: { width: 360, height: 740, scale: 2 },
  desk: { width: 1280, height: 800, scale: 1.25 },
  /** The upper part of a phone, small: every device stores the manual. */
  manual: { width: 360, height: 520, scale: 1.5 },
} as const;

interface Shot extends Screen {
  readonly size: keyof typeof SIZES;
  readonly theme?: 'dark';
}

/** The browser's language by the language of the text beside its pictures. */
const BROWSERS: Readonly<Record<Locale, string>> = { fr: 'fr-FR', en: 'en-GB' };

const README = 'docs/images';
const MANIFEST = 'static/screenshots';
const MANUAL = 'src/lib/aide/pictures';

/** The screens beside the pages of the manual. */
const MANUAL_SCREENS = {
  chercher: 'catalogue-recherche',
  rangement: 'rangement',
  preter: 'prets',
  lire: 'livre',
  souhaits: 'souhaits',
  series: 'serie',
  revues: 'revue',
  annuler: 'modifications',
  reprendre: 'importer',
} as const;

const MANIFEST_SHOTS: readonly Shot[] = [
  { name: 'phone-catalogue', size: 'phone', path: '/' },
  {
    name: 'desk-catalogue',
    size: 'desk',
    path: '/?typeDocument=Roman',
    press: ['Au revoir là-haut'],
  },
];

const README_SHOTS: readonly Shot[] = [
  { name: 'phone-livre', size: 'phone', path: '/?recherche=persepolis', press: ['Persepolis'] },
  { name: 'phone-prets', size: 'phone', theme: 'dark', path: '/prets' },
];

const MANUAL_SHOTS: readonly Shot[] = [
  ofManual('ajouter', { path: '/livres/ajouter?isbn=9782948012178' }),
  ...Object.entries(MANUAL_SCREENS).flatMap(([name, of]) =>
    PICTURES.filter((screen) => screen.name === of).map((screen) => ofManual(name, screen)),
  ),
];

interface Folder {
  readonly path: string;
  readonly locale: Locale;
  readonly shots: readonly Shot[];
}

const FOLDERS: readonly Folder[] = [
  { path: MANIFEST, locale: 'fr', shots: MANIFEST_SHOTS },
  ...LOCALES.flatMap((locale) => [
    { path: `${README}/${locale}`, locale, shots: [...MANIFEST_SHOTS, ...README_SHOTS] },
    { path: `${MANUAL}/${locale}`, locale, shots: MANUAL_SHOTS },
  ]),
];

await exitOnError(async () => {
  await buildIfStale();
  const server = await Server.run(['demo/main.ts'], { ...process.env, PORT: '0' });
  const browser = await chromium.launch(await findBrowser());
  for (const { path, locale, shots } of FOLDERS) {
    mkdirSync(path, { recursive: true });
    for (const shot of shots) {
      writeFileSync(`${path}/${shot.name}.webp`, await take(browser, server.url, shot, locale));
      console.log(`${path}/${shot.name}.webp`);
    }
  }
  await browser.close();
  await server.stop();
});

async function take(browser: Browser, url: string, shot: Shot, locale: Locale): Promise<Buffer> {
  const { scale, ...viewport } = SIZES[shot.size];
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: scale,
    colorScheme: shot.theme ?? 'light',
    reducedMotion: 'reduce',
    locale: BROWSERS[locale],
    timezoneId: 'Europe/Paris',
  });
  const page = await context.newPage();
  await show(page, url, shot);
  const picture = await sharp(await page.screenshot())
    .webp({ quality: 75, effort: 6 })
    .toBuffer();
  await context.close();
  return picture;
}

function ofManual(name: string, { path, press }: Pick<Screen, 'path' | 'press'>): Shot {
  return { name, path, size: 'manual', ...(press && { press }) };
}
