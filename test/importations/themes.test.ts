import { expect, test } from 'vitest';
import type { Importation } from '#shared/importations';
import type { Livre } from '#shared/livres';
import type { Theme } from '#shared/themes';
import { openHouse, type House } from '../support/house.ts';
import { readFile } from './reading.ts';
import { goodreads, libraryThing, table } from './samples.ts';
import { importFile, sendFile } from './support.ts';

const wordsOf = async (file: string | Buffer): Promise<string[]> =>
  (await readFile(file)).themes.map(({ nom, livres }) => `${nom} ${livres}`);

const rowOf = (cells: Readonly<Record<string, string>>) => table(Object.keys(cells), [cells]);

test.each([
  ['Goodreads', goodreads({ Title: 'A', Bookshelves: 'sf, to-read, à-vendre' })],
  ['LibraryThing', libraryThing({ Title: 'A', Tags: 'sf, à-vendre', Collections: 'Your library' })],
  ['LibraryThing’s collections', libraryThing({ Title: 'A', Collections: 'To read,sf,à-vendre' })],
  ['LibraryThing’s subjects', libraryThing({ Title: 'A', Subjects: 'sf|à-vendre' })],
  [
    'StoryGraph',
    rowOf({ Title: 'A', 'ISBN/UID': '', 'Read Status': 'read', Tags: 'sf, à-vendre' }),
  ],
  [
    'Libib',
    rowOf({ title: 'A', item_type: 'book', ean_isbn13: '', tags: 'sf', collection: 'à-vendre' }),
  ],
  ['Calibre', rowOf({ title: 'A', authors: '', title_sort: '', tags: 'sf, à-vendre' })],
  ['Inventaire', rowOf({ 'Edition title': 'A', 'Item URL': 'x', Shelves: 'sf,à-vendre' })],
  [
    'BookWyrm',
    rowOf({
      title: 'A',
      author_text: '',
      remote_id: '',
      shelf: 'sf-12',
      shelf_name: 'sf; à-vendre',
    }),
  ],
  [
    'NeverTooManyBooks',
    rowOf({ title: 'A', author_details: '', _id: '1', bookshelf: 'sf|à-vendre' }),
  ],
  ['BookBuddy', rowOf({ Title: 'A', Author: '', 'Loaned To': '', Genre: 'sf', Tags: 'à-vendre' })],
  ['BDGest', rowOf({ IdAlbum: '1', Series: 'S', Num: '2', Titre: 'A', Style: 'sf; à-vendre' })],
  [
    'Openreads',
    rowOf({ title: 'A', author: '', book_format: '', readings: '', tags: 'sf|||||à-vendre' }),
  ],
  [
    'Babelio',
    rowOf({ Titre: 'A', Auteur: '', ISBN: '', Statut: 'Lu', Note: '', Étiquettes: 'sf, à-vendre' }),
  ],
])('the personal words of %s are reported', async (_, file) => {
  expect((await wordsOf(file)).sort()).toEqual(['sf 1', 'à-vendre 1']);
});

test('a custom exclusive shelf is a word, no unknown status', async () => {
  const shelf = { 'Exclusive Shelf': 'à-vendre' };
  const file = goodreads(
    { Title: 'A', Bookshelves: 'À-vendre', ...shelf },
    { Title: 'B', Bookshelves: '', ...shelf },
  );
  const { records, themes } = await readFile(file);
  expect(themes.map(({ nom }) => nom)).toEqual(['À-vendre']);
  expect(records.map(({ avertissements }) => avertissements)).toEqual([
    [],
    ['statut inconnu, laissé de côté : à-vendre'],
  ]);
});

test('LibraryThing’s JSON distinguishes tags, subjects and genres', async () => {
  const livre = { title: 'A', primaryauthor: 'B', books_id: '1', tags: ['sf', 'Lu'] };
  const file = JSON.stringify({
    1: { ...livre, subject: [['Spies, old'], ['Paris']], genre: ['Roman'] },
  });
  expect((await wordsOf(file)).sort()).toEqual(['Paris 1', 'Roman 1', 'Spies, old 1', 'sf 1']);
});

test.each(['Genre', 'Étiquettes', 'Tags', 'Thèmes', 'Mots-clés', 'Mots clés', 'Catégorie'])(
  'a column « %s » of any table has themes',
  async (header) => {
    const file = table(['Titre', header], [{ Titre: 'A', [header]: 'Roman, noir' }]);
    expect(await wordsOf(file)).toEqual(['noir 1', 'Roman 1']);
  },
);

test('several columns of words are read, and kept apart', async () => {
  const file = table(
    ['Titre', 'Genre', 'Tags'],
    [
      { Titre: 'A', Genre: 'Policier', Tags: 'été ; Policier, noir' },
      { Titre: 'B', Genre: 'policier' },
    ],
  );
  expect((await readFile(file)).themes).toMatchObject([
    { nom: 'Policier', livres: 2, colonnes: ['Genre'] },
    { nom: 'été', livres: 1, colonnes: ['Tags'] },
    { nom: 'Policier, noir', livres: 1, colonnes: ['Tags'] },
  ]);
});

test('the sixty most used words are taken, the others proposed', async () => {
  const rows = Array.from({ length: 61 }, (_, i) => ({ Titre: `T${i}`, Tags: `m${i}` }));
  const file = table(['Titre', 'Tags'], [...rows, { Titre: 'Z', Tags: 'm60' }]);
  const { themes } = await readFile(file);
  expect(themes).toHaveLength(61);
  expect(themes[0]).toMatchObject({ nom: 'm60', livres: 2, repris: true });
  expect(themes.filter(({ repris }) => !repris)).toHaveLength(1);
});

test('too many words are limited and reported', async () => {
  const many = Array.from({ length: 200 }, (_, i) => `m${i}`).join(',');
  const file = table(['Titre', 'Tags'], [{ Titre: 'A', Tags: `${'x'.repeat(600)},${many}` }]);
  const { themes, records } = await readFile(file);
  expect(themes).toHaveLength(99);
  expect(records[0]?.avertissements).toEqual([
    'plus de 100 étiquettes, les autres laissées de côté',
    `étiquette trop longue, laissée de côté : ${'x'.repeat(39)}…`,
  ]);
});

const FILE = table(
  ['Titre', 'Auteurs', 'Tags'],
  [
    { Titre: 'Un', Auteurs: 'Lise Brun', Tags: 'Été, à vendre' },
    { Titre: 'Deux', Auteurs: 'Zoé Pic', Tags: 'ETE' },
    { Titre: 'Trois', Auteurs: 'Zoé Pic', Tags: '' },
  ],
);

const themesOf = async (house: House): Promise<Record<string, readonly string[]>> => {
  const livres = (await house.ask('alice', 'GET', '/api/livres')).body as Livre[];
  return Object.fromEntries(livres.map(({ titre, themes }) => [titre, themes]));
};
const vocabulary = async (house: House) =>
  ((await house.ask('alice', 'GET', '/api/themes')).body as Theme[]).map(({ nom }) => nom);

const NONE = { Un: [], Deux: [], Trois: [] };
const ALL = { Un: ['Été', 'à vendre'], Deux: ['Été'], Trois: [] };

const execute = async (house: House, id: number, body: object = {}): Promise<Importation> =>
  (await house.ask('alice', 'POST', `/api/importations/${id}/execution`, body)).body as Importation;

test('by default no word becomes a theme, which is reported', async () => {
  const house = await openHouse();
  expect((await importFile(house, FILE)).perdus).toEqual([{ colonne: 'Tags', lignes: 2 }]);
  expect(await themesOf(house)).toEqual(NONE);
});

test('words become themes if the import asks for it', async () => {
  const house = await openHouse();
  const importation = await importFile(house, FILE, { themes: 'true' });
  expect(importation).toMatchObject({
    perdus: [],
    themes: [
      { nom: 'Été', livres: 2, colonnes: ['Tags'], repris: true },
      { nom: 'à vendre', livres: 1, colonnes: ['Tags'], repris: true },
    ],
  });
  expect(await themesOf(house)).toEqual(ALL);
});

test('only the chosen words of a dry run become themes', async () => {
  const house = await openHouse();
  const { id } = (await sendFile(house, FILE, { themes: 'true' })).body;
  const executed = await execute(house, id, { themes: ['ete'] });
  expect(executed.themes.map(({ repris }) => repris)).toEqual([true, false]);
  expect(executed.perdus).toEqual([{ colonne: 'Tags', lignes: 1 }]);
  expect(await themesOf(house)).toEqual({ ...ALL, Un: ['Été'] });
});

test('a word takes the spelling of the household’s theme', async () => {
  const house = await openHouse();
  await house.ask('alice', 'POST', '/api/livres', {
    titre: 'X',
    format: 'Physique',
    themes: ['été'],
  });
  await importFile(house, FILE, { themes: 'true' });
  expect(await vocabulary(house)).toEqual(['à vendre', 'été']);
});

test('a known book keeps the themes that it has', async () => {
  const house = await openHouse();
  await importFile(house, FILE);
  await house.ask('alice', 'PUT', '/api/livres/1', {
    titre: 'Un',
    auteurs: ['Lise Brun'],
    format: 'Physique',
    themes: ['mien'],
  });
  const importation = await importFile(house, FILE, { themes: 'true' });
  expect(importation).toMatchObject({ presents: 3, completes: 1 });
  expect(await themesOf(house)).toEqual({ Un: ['mien'], Deux: ['ETE'], Trois: [] });
});

test('the undoing of an import removes its themes', async () => {
  const house = await openHouse();
  await importFile(house, FILE);
  const { id } = await importFile(house, FILE, { themes: 'true' });
  expect(await vocabulary(house)).toEqual(['à vendre', 'Été']);
  expect((await house.ask('alice', 'DELETE', `/api/importations/${id}`)).status).toBe(200);
  expect([await themesOf(house), await vocabulary(house)]).toEqual([NONE, []]);
  await execute(house, id);
  expect(await themesOf(house)).toEqual(ALL);
});

test('words without a book or a wish are reported', async () => {
  const house = await openHouse();
  const words = Array.from({ length: 22 }, (_, i) => `m${String(i).padStart(2, '0')}`);
  const file = goodreads(
    { Title: 'A', Bookshelves: words.join(', ') },
    { Title: 'B', Bookshelves: 'wishlist, m00' },
  );
  const importation = await importFile(house, file, { themes: 'true' });
  expect(importation.avertissements.map(({ ligne, raison }) => `${ligne} ${raison}`)).toEqual([
    '2 plus de 20 thèmes, laissés de côté : m20, m21',
    '3 un souhait n’a pas de thèmes, laissés de côté',
  ]);
  expect(await themesOf(house)).toEqual({ A: words.slice(0, 20) });
});
