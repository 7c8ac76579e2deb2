import Sqlite from 'better-sqlite3';
import { Catalogue } from '#shared/catalogue';
import type { LivreDocument } from '#shared/livres';
import { normaliser } from '#shared/text';
import { print, told, type Measure } from '../support/report.ts';
import { elapsed, timeRoundsEach } from '../support/timing.ts';
import { pathOf } from './packages.ts';

/** The parts of MiniSearch that are used here. */
interface MiniSearch {
  addAll(documents: readonly object[]): void;
  search(text: string, options: object): readonly unknown[];
}

const FIRST = 50;

/** A keystroke in a search, of the same books, in memory: the first fifty that match, and how many there are. */
export async function benchPeerSearch(livres: readonly LivreDocument[]): Promise<void> {
  const typed = typedInto(livres);
  const texts = livres.map(({ id, titreNormalise, auteurs }) => ({
    id,
    titre: titreNormalise,
    auteurs: auteurs.map(({ nom }) => normaliser(nom)).join(' '),
  }));
  print(`A keystroke in ${String(livres.length)} books, beside others`, [
    ...ours(livres, typed),
    ...(await miniSearch(texts, typed)),
    ...fts5(texts, typed),
  ]);
}

/** Titles and authors of some books, letter by letter from the third on: FTS5 finds no less. */
function typedInto(livres: readonly LivreDocument[]): string[] {
  const some = livres.filter((_, i) => i % Math.ceil(livres.length / 40) === 0);
  const searches = some.map(({ titreNormalise, auteurs }, i) =>
    (i % 2 === 0 ? titreNormalise : normaliser(auteurs[0]?.nom ?? '')).slice(0, 12),
  );
  return searches
    .flatMap((search) => Array.from(search, (_, i) => search.slice(0, i + 1).trim()))
    .filter((text) => text.split(' ').every((word) => word.length >= 3));
}

function ours(livres: readonly LivreDocument[], typed: readonly string[]): Measure[] {
  const catalogue = new Catalogue();
  const loading = elapsed(() => catalogue.applyLivres(livres));
  const nobody = new Map<number, never>();
  const times = timeRoundsEach(typed, (recherche) => catalogue.page({ recherche }, nobody));
  return [
    told('ours, parts of words', times, 'ms'),
    told('ours, to make it searchable', loading, 'ms'),
  ];
}

async function miniSearch(texts: readonly object[], typed: readonly string[]): Promise<Measure[]> {
  const { default: Index } = (await import(pathOf('minisearch'))) as {
    default: new (options: object) => MiniSearch;
  };
  const index = new Index({ fields: ['titre', 'auteurs'] });
  const loading = elapsed(() => index.addAll(texts));
  const options = { prefix: true, combineWith: 'AND' };
  const times = timeRoundsEach(typed, (text) => index.search(text, options));
  return [
    told('MiniSearch, beginnings of words', times, 'ms'),
    told('MiniSearch, to make its index', loading, 'ms'),
  ];
}

function fts5(texts: readonly object[], typed: readonly string[]): Measure[] {
  const database = new Sqlite(':memory:');
  database.exec('CREATE VIRTUAL TABLE livres USING fts5(titre, auteurs, tokenize = trigram)');
  const insert = database.prepare(
    'INSERT INTO livres (rowid, titre, auteurs) VALUES (@id, @titre, @auteurs)',
  );
  const loading = elapsed(database.transaction(() => texts.map((text) => insert.run(text))));
  const count = database.prepare('SELECT count(*) FROM livres WHERE livres MATCH ?');
  const find = database.prepare(
    `SELECT rowid FROM livres WHERE livres MATCH ? ORDER BY titre LIMIT ${String(FIRST)}`,
  );
  const times = timeRoundsEach(typed, (text) => {
    const words = text.split(' ').map((word) => `"${word}"`);
    count.get(words.join(' '));
    find.all(words.join(' '));
  });
  database.close();
  return [
    told('SQLite FTS5 in trigrams, parts of words', times, 'ms'),
    told('SQLite FTS5, to make its index', loading, 'ms'),
  ];
}
