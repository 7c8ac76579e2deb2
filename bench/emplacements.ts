import { chromium } from 'playwright';
import { Catalogue } from '#shared/catalogue';
import { MAX_NIVEAUX, type Emplacement } from '#shared/emplacements';
import type { LivreDocument } from '#shared/livres';
import type { Tri } from '#shared/sort';
import type { Database } from '#server/plumbing/database/database';
import { ajouterEmplacement } from '#server/subjects/emplacements';
import { findBrowser } from '../test/support/browser.ts';
import { makeEmplacement } from '../test/support/emplacements.ts';
import { householdOf } from './support/household.ts';
import { searchesFor } from './support/livres.ts';
import { openFromRail, settle, type } from './support/opening.ts';
import { bound, print, ratio, unbounded, type Measure } from './support/report.ts';
import { elapsed, median, quantile, timeRounds } from './support/timing.ts';

const COUNT = 300;
const ROOMS = 12;
const ROUNDS = 4;

const FRAME = 16.7;

export async function benchEmplacements(livres: readonly LivreDocument[]): Promise<void> {
  const emplacements = makeEmplacements();
  const placed = livres.map((livre, i) => ({
    ...livre,
    emplacementId: emplacements[i % COUNT]?.id ?? null,
  }));
  print(`${livres.length} books in ${COUNT} locations`, [
    // Copies, like the books with a location: V8 reads objects with another hidden class at another speed.
    ...inMemory(
      livres.map((livre) => ({ ...livre })),
      placed,
      emplacements,
    ),
    ...(await onScreen(livres, emplacements)),
  ]);
}

function makeEmplacements(): Emplacement[] {
  const levels = new Map<number | null, number>([[null, 0]]);
  return Array.from({ length: COUNT }, (_, i) => {
    const id = i + 1;
    const above = id <= ROOMS ? null : id % 7 === 0 ? 1 + (id % ROOMS) : id - ROOMS;
    const parentId = (levels.get(above) ?? 0) < MAX_NIVEAUX ? above : 1 + (id % ROOMS);
    levels.set(id, (levels.get(parentId) ?? 0) + 1);
    return makeEmplacement(id, `Étagère ${id}`, { parentId });
  });
}

function inMemory(
  livres: readonly LivreDocument[],
  placed: readonly LivreDocument[],
  emplacements: readonly Emplacement[],
): Measure[] {
  const [without, within] = [livres, placed].map((books) => {
    const catalogue = new Catalogue();
    catalogue.applyLivres(books);
    return catalogue;
  });
  if (without === undefined || within === undefined) throw new Error('two catalogues');
  within.applyEmplacements(emplacements);
  const none = new Map<number, never>();
  const typed = searchesFor(livres).flatMap((text) =>
    Array.from(text, (_, i) => text.slice(0, i + 1)),
  );
  const keystrokes = (catalogue: Catalogue, rest = {}) => {
    for (const recherche of typed) catalogue.search({ recherche, ...rest }, none);
  };
  const first = (tri: Tri) => elapsed(() => within.search({ tri }, none));
  const findByWord = () => within.emplacements.search('etagere 2');
  const change = () => {
    within.applyEmplacements(emplacements.slice(0, 1));
    within.emplacements.totals(within.emplacementCounts);
  };
  return [
    unbounded('sort by location, the first time', first('emplacement'), 'ms'),
    unbounded('sort by author, the first time', first('auteur'), 'ms'),
    inTurns(
      'keystrokes / without locations',
      () => keystrokes(within),
      () => keystrokes(without),
    ),
    inTurns(
      'keystrokes, sorted by location / by author',
      () => keystrokes(within, { tri: 'emplacement' }),
      () => keystrokes(within, { tri: 'auteur' }),
    ),
    inTurns(
      'filter by a room / by a format',
      () => within.search({ emplacement: '1' }, none),
      () => within.search({ format: 'Numerique' }, none),
    ),
    unbounded('locations found by a word', timeRounds(findByWord), 'ms'),
    unbounded('the tree with its sums, after a change of a location', timeRounds(change), 'ms'),
  ];
}

/** The medians of two pieces of work run alternately, so that noise affects both. */
function inTurns(what: string, ours: () => unknown, theirs: () => unknown): Measure {
  const rounds = Array.from({ length: 21 }, () => [elapsed(ours), elapsed(theirs)] as const);
  return ratio(
    what,
    median(rounds.map(([time]) => time)),
    median(rounds.map(([, time]) => time)),
    1.1,
  );
}

async function onScreen(
  livres: readonly LivreDocument[],
  emplacements: readonly Emplacement[],
): Promise<Measure[]> {
  const furnish = (database: Database) => {
    database.write((tx) => {
      for (const { nom, parentId } of emplacements) ajouterEmplacement(tx, { nom, parentId });
      tx.run(`UPDATE Livre SET emplacementId = 1 + id % ${COUNT}`);
    });
    return Promise.resolve();
  };
  const browser = await chromium.launch(await findBrowser());
  const households = [await householdOf(livres), await householdOf(livres, furnish)];
  const devices = await Promise.all(
    households.map(({ server }) => settle(browser, server.url, livres.length)),
  );
  const [without, within] = devices;
  if (without === undefined || within === undefined) throw new Error('two devices');
  const searches = searchesFor(livres).slice(0, 10);
  const times: Record<
    'plain' | 'placed' | 'sorted' | 'filtered' | 'auteurs' | 'rangement',
    number[]
  > = { plain: [], placed: [], sorted: [], filtered: [], auteurs: [], rangement: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.plain.push(...(await type(without, '/', livres.length, searches)));
    times.placed.push(...(await type(within, '/', livres.length, searches)));
    times.sorted.push(...(await type(within, '/?tri=emplacement', livres.length, searches)));
    times.filtered.push(...(await type(within, '/?emplacement=1', null, searches)));
    times.auteurs.push(await openFromRail(within, '/auteurs'));
    times.rangement.push(await openFromRail(within, '/rangement', 'main .rayon, main .furniture'));
  }
  await browser.close();
  for (const household of households) await household.end();
  return [
    ratio(
      'a keystroke to the laid out list / without locations',
      median(times.placed),
      median(times.plain),
      1.1,
    ),
    bound('such a keystroke, sorted by location', median(times.sorted), FRAME, 'ms'),
    bound('such a keystroke, 95th percentile', quantile(times.sorted, 0.95), FRAME, 'ms'),
    bound('such a keystroke in a room', median(times.filtered), FRAME, 'ms'),
    ratio('opening « Rangement » / « Auteurs »', median(times.rangement), median(times.auteurs), 1),
  ];
}
