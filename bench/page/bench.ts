import Dexie from 'dexie';
import { Catalogue } from '#shared/catalogue';
import type { LivreDocument } from '#shared/livres';
import { normaliser } from '#shared/text';
import { openDatabase } from '../../src/lib/sync/database.ts';
import { readAll } from '../../src/lib/sync/packs.ts';
import { openStorage } from '../../src/lib/sync/storage.ts';

/** The household's documents by collection, as replication yields them. */
export type Documents = Record<string, readonly { id: number }[]>;

const inPage = { keystrokes, write, readCopy, readRaw };
export { inPage as bench };

declare global {
  var bench: typeof inPage;
}

/** Measures every search typed letter by letter, in the catalogue and by a plain loop over the same words. */
function keystrokes(livres: readonly LivreDocument[], searches: readonly string[]) {
  const catalogue = new Catalogue();
  catalogue.applyLivres(livres);
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
  const typed = searches.flatMap((search) => Array.from(search, (_, i) => search.slice(0, i + 1)));
  const nobody = new Map<number, never>();
  return {
    catalogue: timeEach(typed, (recherche) => catalogue.search({ recherche }, nobody)),
    loop: timeEach(typed, loop),
  };
}

function timeEach(cases: readonly string[], work: (one: string) => unknown): number {
  const rounds = Array.from({ length: 7 }, () => {
    const begin = performance.now();
    for (const one of cases) work(one);
    return performance.now() - begin;
  }).sort((a, b) => a - b);
  return (rounds[3] ?? NaN) / cases.length;
}

async function write(all: Documents): Promise<number> {
  await Dexie.delete('raw');
  const raw = new Dexie('raw');
  raw.version(1).stores(Object.fromEntries(Object.keys(all).map((nom) => [nom, 'id'])));
  await raw.open();
  const begin = performance.now();
  await Promise.all(Object.entries(all).map(([nom, docs]) => raw.table(nom).bulkPut(docs)));
  const time = performance.now() - begin;
  raw.close();
  return time;
}

async function readCopy(): Promise<number> {
  const storage = await openStorage(() => undefined);
  const database = await openDatabase(await databaseName(), storage, true);
  const begin = performance.now();
  await readAll(database.packs, async (portions) => void [...portions]);
  const time = performance.now() - begin;
  await database.close();
  return time;
}

async function readRaw(): Promise<number> {
  const raw = await new Dexie('raw').open();
  const begin = performance.now();
  await Promise.all(raw.tables.map((table) => table.toArray()));
  const time = performance.now() - begin;
  raw.close();
  return time;
}

async function databaseName(): Promise<string> {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  const [, found] = names.flatMap(
    (name) => /^rxdb-dexie-(rayonnage\|.*)--0--packs/.exec(name) ?? [],
  );
  if (found === undefined) throw new Error('no copy in this profile');
  return found;
}
