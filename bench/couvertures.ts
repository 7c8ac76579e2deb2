import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { NoImage } from '#server/subjects/couvertures/sources';
import { Database } from '#server/plumbing/database/database';
import { drawCover } from '../demo/couvertures/draw.ts';
import { pictureOf, playFetcher, type Ask } from '../test/couvertures/support/played.ts';
import { bound, print, unbounded } from './support/report.ts';
import type { Thumbnails } from './support/thumbnails.ts';

const BOOKS = 2000;
const ALLOWED = 100;
const WINDOW_MS = 5 * 60_000;
const ON_SCREEN = 20;
const PICTURES = 200;

/** Measures the queue of covers beside the limits of its source, and the memory and bytes of thumbnails. */
export async function benchCouvertures(): Promise<void> {
  await benchQueue();
  await benchThumbnails();
}

/** A source that answers in 1.5 s and allows 100 requests in five minutes, with a virtual clock. */
async function benchQueue(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  const database = Database.open(join(folder, 'bibliotheque.sqlite'));
  const played = playFetcher(database, join(folder, 'couvertures'), 1500);
  try {
    addBooks(database, played.sources.asks, (adresse, answer) =>
      played.sources.answer(adresse, answer),
    );
    const { fetcher, sources, clock } = played;
    const begin = clock.now();
    fetcher.start();
    await played.runUntil(() => sources.asks.length >= 500);
    const before = sources.asks.length;
    fetcher.toFront(Array.from({ length: ON_SCREEN }, (_, i) => adresseOf(BOOKS - ON_SCREEN + i)));
    await played.runUntil(() => fetcher.etat().gardees === BOOKS);
    const order = sources.asks.map(({ adresse }) => adresse);
    const front = order.slice(before, before + ON_SCREEN);
    const rest = [...order.slice(0, before), ...order.slice(before + ON_SCREEN)];
    print(`${BOOKS} covers by ISBN, ${ALLOWED} in five minutes, 1.5 s each`, [
      bound('lost', BOOKS - fetcher.etat().gardees, 0, 'covers'),
      bound('asked twice', order.length - new Set(order).size, 0, 'covers'),
      bound('refused by the source', refusals(sources.asks), 0, 'requests'),
      bound('out of the catalogue’s order', outOfOrder(rest), 0, 'covers'),
      bound(
        'on screen and not first',
        front.filter((a) => a < adresseOf(BOOKS - ON_SCREEN)).length,
        0,
        'covers',
      ),
      unbounded('time of the source', (clock.now() - begin) / 3_600_000, 'h'),
    ]);
  } finally {
    await played.fetcher.stop();
    database.close();
    rmSync(folder, { recursive: true });
  }
}

const adresseOf = (n: number): string => `isbn:978${String(n).padStart(10, '0')}`;

function addBooks(
  database: Database,
  asks: readonly Ask[],
  answer: (adresse: string, of: () => ReturnType<typeof pictureOf>) => void,
): void {
  database.write((tx) => {
    const insert = tx.prepare<[string, string, string]>(
      `INSERT INTO Livre (titre, titreNormalise, cleOeuvre, format, isbn, dateAjout)
     VALUES (?, ?, 'x', 'Physique', ?, '2026-01-01T00:00:00.000Z')`,
    );
    for (let i = 0; i < BOOKS; i++) {
      const n = (i * 7919) % BOOKS;
      insert.run(`Livre ${n}`, String(n).padStart(6, '0'), adresseOf(n).slice(5));
      answer(adresseOf(n), () =>
        isAllowed(asks, adresseOf(n)) ? pictureOf(adresseOf(n)) : Promise.reject(new NoImage(403)),
      );
    }
  });
}

function isAllowed(asks: readonly Ask[], adresse: string): boolean {
  const index = asks.findLastIndex((ask) => ask.adresse === adresse);
  const earlier = asks[index - ALLOWED];
  return earlier === undefined || (asks[index]?.at ?? 0) - earlier.at >= WINDOW_MS;
}

const refusals = (asks: readonly Ask[]): number =>
  asks.filter(({ at }, i) => at - (asks[i - ALLOWED]?.at ?? -Infinity) < WINDOW_MS).length;

const outOfOrder = (adresses: readonly string[]): number =>
  adresses.filter((adresse, i) => adresse < (adresses[i - 1] ?? '')).length;

async function benchThumbnails(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rayonnage-bench-'));
  for (let i = 0; i < 20; i++) writeFileSync(join(folder, `${i}.jpg`), await photograph(i));
  const script = fileURLToPath(new URL('support/thumbnails.ts', import.meta.url));
  const said = execFileSync(process.execPath, [script, folder, String(PICTURES)], {
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  const measured = JSON.parse(said) as Thumbnails;
  const { restBytes, mostBytes, oneMs, waitMs, ligneBytes, pageBytes } = measured;
  print(`${PICTURES} thumbnails of covers of 1000 × 1500`, [
    bound('memory above rest', (mostBytes - restBytes) / 1e6, 150, 'MB'),
    unbounded('one cover', oneMs, 'ms'),
    unbounded('a request waits for the loop, 99 of 100', waitMs, 'ms'),
    bound('10,000 thumbnails of rows', (ligneBytes / PICTURES) * 0.01, 35, 'MB'),
    unbounded('10,000 thumbnails of pages', (pageBytes / PICTURES) * 0.01, 'MB'),
  ]);
}

async function photograph(n: number): Promise<Buffer> {
  const drawn = await drawCover({ titre: `Un titre de plus ${n}`, auteur: 'Une autrice' });
  const grain = await sharp({
    create: {
      width: 250,
      height: 375,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .resize(1000, 1500)
    .png()
    .toBuffer();
  return sharp(drawn)
    .resize(1000, 1500)
    .composite([{ input: grain, blend: 'soft-light' }])
    .jpeg({ quality: 88 })
    .toBuffer();
}
