import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Catalogue } from '#shared/catalogue';
import { nearIndexOf } from '#shared/catalogue-near';
import type { LivreDocument } from '#shared/livres';
import { TRIS } from '#shared/sort';
import { normaliser } from '#shared/text';
import { makeLivres, searchesFor, withDetails } from './support/livres.ts';
import { print, ratio, unbounded, type Measure } from './support/report.ts';
import { elapsed, timeRounds, timeRoundsEach, timesInTurn } from './support/timing.ts';

/** Typical typing errors: letters left out, doubled and swapped, an apostrophe forgotten. */
const MISTYPED = ['harry poter', 'goscini', 'etrangr', 'letranger', 'tolstoi guerre', 'the grate'];

const NO_STATUTS = new Map<number, never>();

/**
 * Measures the catalogue in memory beside a plain `includes` loop over the same words: searches typed letter by
 * letter in these books, and parts of words in 100,000 generated ones.
 */
export function benchCatalogue(livres: readonly LivreDocument[]): void {
  measure(livres);
  measure(withDetails(livres), ', eight details each');
  measure(makeLivres(100_000));
}

function measure(livres: readonly LivreDocument[], what = ''): void {
  const before = heapMegabytes();
  const catalogue = new Catalogue();
  const measures = [
    unbounded(
      'loading',
      elapsed(() => catalogue.applyLivres(livres)),
      'ms',
    ),
    unbounded('memory of the entries', heapMegabytes() - before, 'MB'),
    unbounded(
      'first search',
      elapsed(() => catalogue.page({ recherche: 'zz' }, NO_STATUTS)),
      'ms',
    ),
    unbounded(
      'a filter by a detail, first',
      elapsed(() => catalogue.page({ detail: 'Langue:anglais' }, NO_STATUTS)),
      'ms',
    ),
    unbounded('memory once searched', heapMegabytes() - before, 'MB'),
    ...searches(catalogue, livres),
    ...changes(catalogue, livres),
    ...orders(catalogue),
    ...nearMatches(catalogue),
  ];
  print(`The catalogue in memory, ${livres.length} books${what}`, measures);
}

function searches(catalogue: Catalogue, livres: readonly LivreDocument[]): Measure[] {
  const texts = livres.map(({ titreNormalise, auteurs, details }) =>
    [
      titreNormalise,
      ...auteurs.map(({ nom }) => normaliser(nom)),
      ...details.map(({ valeur }) => normaliser(valeur)),
    ].join('\n'),
  );
  const loop = (typed: string) => {
    const words = normaliser(typed).split(' ');
    return texts.filter((text) => words.every((word) => text.includes(word)));
  };
  const queries = searchesFor(livres);
  const keystrokes = queries.flatMap((query) => Array.from(query, (_, i) => query.slice(0, i + 1)));
  const parts = queries.map((query) => query.slice(1, 5).trim());
  return [
    ratio(
      'a keystroke / includes loop',
      ...timesInTurn(
        keystrokes,
        (typed) => catalogue.search({ recherche: typed }, NO_STATUTS),
        loop,
      ),
      1,
    ),
    ratio(
      'a part of a word, list of 50 / includes loop',
      ...timesInTurn(
        parts,
        (typed) => catalogue.page({ recherche: typed, limite: 50 }, NO_STATUTS),
        loop,
      ),
      1,
    ),
  ];
}

function changes(catalogue: Catalogue, livres: readonly LivreDocument[]): Measure[] {
  const [first] = livres;
  if (first === undefined) return [];
  const renamed = { ...first, titre: 'Milieu', titreNormalise: 'milieu' };
  const both = timeRounds(() => {
    catalogue.applyLivres([renamed]);
    catalogue.applyLivres([first]);
  });
  return [
    unbounded(
      'a book changes its title',
      both.map((time) => time / 2),
      'ms',
    ),
  ];
}

/** Every order except titles: sorted once, then cached. */
function orders(catalogue: Catalogue): Measure[] {
  const lus = new Map(
    catalogue
      .search({}, NO_STATUTS)
      .map(({ id }) => [id, { note: (id % 10) + 1, fin: `20${10 + (id % 16)}` }]),
  );
  return TRIS.filter((tri) => tri !== 'titre').flatMap((tri) => {
    const list = () => catalogue.search({ tri }, NO_STATUTS, lus);
    return [
      unbounded(`${tri}, sorted`, elapsed(list), 'ms'),
      unbounded(`${tri}, again`, timeRounds(list), 'ms'),
    ];
  });
}

/** A frame is 16 ms; on a processor four times slower it corresponds to 4 ms. */
function nearMatches(catalogue: Catalogue): Measure[] {
  return [
    unbounded(
      'near matches, all words read',
      elapsed(() => nearIndexOf(catalogue).prepare(Infinity)),
      'ms',
    ),
    unbounded(
      'near matches of a query',
      timeRoundsEach(MISTYPED, (query) => nearIndexOf(catalogue).find(query)),
      'ms',
    ),
  ];
}

function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  // The second collection frees what the first one only finalises.
  for (let run = 0; run < 2; run++) runInNewContext('gc()');
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}
