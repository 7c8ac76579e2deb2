import { seriesInBrackets } from '../series-in-titles.ts';
import { readingOrder } from '../values.ts';
import { guessColonnes, headerKey, toColumns } from './common-headers.ts';
import * as quirks from './quirks.ts';
import type { TableFormat } from './table-format.ts';

/** Series stand in the title, ISBNs in formulas; older files have more columns. */
const goodreads: TableFormat = {
  name: 'goodreads',
  known: [['book id', 'title', 'author', 'exclusive shelf']],
  columns: {
    auteurs: ['author', 'additional authors'],
    isbn: ['isbn13', 'isbn'],
    statut: 'exclusive shelf',
    souhait: 'bookshelves',
  },
  lists: { 'additional authors': ',', bookshelves: ',' },
  titre: seriesInBrackets,
  quirk: quirks.keepRead,
};

/** Names family first, ISBNs and dates in brackets, loans. */
export const libraryThing: TableFormat = {
  name: 'librarything',
  known: [
    ['title', 'primary author', 'collections'],
    ['title', 'primary author', 'book id'],
  ],
  columns: {
    auteurs: 'primary author',
    isbn: ['isbns', 'isbn'],
    editeur: 'publication',
    format: 'media',
    statut: 'collections',
    lu: 'date read',
    enCours: 'date started',
    emprunteur: 'lending patron',
    datePret: 'lending start',
  },
  lists: { isbns: ',', collections: ',' },
  nom: readingOrder,
  quirk: quirks.libraryThingDetails,
};

/** The list of books and that of reviews: names are « Nom Prénom », dates day first. */
const babelio: TableFormat = {
  name: 'babelio',
  known: [
    ['titre', 'auteur', 'date d`entrée dans babelio'],
    ['titre', 'auteur', "date d'entrée dans babelio"],
    ['titre', 'auteur', 'isbn', 'statut', 'note'],
    ['titre', 'auteur', 'ean', 'statut', 'note'],
  ],
  columns: {},
  isNomPrenom: true,
};

/** `ISBN/UID` may be no ISBN. */
const storyGraph: TableFormat = {
  name: 'storygraph',
  known: [['title', 'isbn/uid', 'read status']],
  columns: { isbn: 'isbn/uid' },
  lists: { authors: ',' },
};

/** Keeps films, music and games in the same file. */
const libib: TableFormat = {
  name: 'libib',
  known: [['item_type', 'title', 'ean_isbn13']],
  columns: {
    auteurs: 'creators',
    isbn: ['ean_isbn13', 'upc_isbn10'],
    annee: 'publish_date',
    nombrePages: 'length',
    souhait: 'collection',
  },
  lists: { creators: ',' },
  quirk: quirks.livresOnly,
};

/** A book with files is an ebook; an ISBN that lost its X stands whole in `identifiers`. */
const calibre: TableFormat = {
  name: 'calibre',
  known: [
    ['title', 'authors', 'author_sort'],
    ['title', 'authors', 'title_sort'],
  ],
  columns: { annee: 'pubdate' },
  lists: { authors: /\s&\s|,\s/ },
  quirk: quirks.calibreDetails,
};

/** An edition beside its works. */
const inventaire: TableFormat = {
  name: 'inventaire',
  known: [
    ['item url', 'edition isbn-13'],
    ['item url', 'edition title'],
  ],
  columns: {
    titre: ['edition title', 'works labels'],
    auteurs: 'authors labels',
    isbn: ['edition isbn-13', 'edition isbn-10'],
    editeur: 'publisher label',
    annee: 'edition publication date',
    nombrePages: 'edition number of pages',
    serie: 'series labels',
    numero: 'works series ordinals',
  },
  lists: { 'authors labels': ',', 'series labels': ',', 'works series ordinals': ',' },
};

/** The shelf says what is read, else the dates. */
const bookWyrm: TableFormat = {
  name: 'bookwyrm',
  known: [['title', 'author_text', 'remote_id']],
  columns: {
    auteurs: 'author_text',
    isbn: ['isbn_13', 'isbn_10'],
    statut: ['shelf', 'shelf_name'],
    lu: 'finish_date',
    enCours: 'start_date',
  },
  lists: { author_text: ',' },
};

/** What follows ` * ` in an item of a list are details. */
const DETAILS = /\s\*\s[^|]*(?:\||$)|\|/;

/** Lists apart by `|`, a series with its number in brackets; the dates count before the shelf. */
const neverTooManyBooks: TableFormat = {
  name: 'nevertoomanybooks',
  known: [
    ['title', 'author_details', 'series_details'],
    ['title', 'author_details', '_id'],
  ],
  columns: {
    auteurs: 'author_details',
    editeur: ['publisher', 'publisher_details'],
    annee: 'date_published',
    statut: 'bookshelf',
    souhait: 'bookshelf',
    serie: 'series_details',
  },
  lists: {
    author_details: DETAILS,
    publisher: DETAILS,
    publisher_details: DETAILS,
    series_details: DETAILS,
    bookshelf: /[|,]/,
  },
  nom: readingOrder,
  quirk: quirks.neverTooManyBooksDetails,
};

/** The reading log; its older form names neither title nor ISBN. */
const openLibrary: TableFormat = {
  name: 'openlibrary',
  known: [
    ['work id', 'edition id', 'bookshelf'],
    ['work id', 'title', 'first publish year'],
  ],
  columns: { statut: 'bookshelf' },
  lists: { authors: ',' },
  quirk: quirks.namedOnly,
};

const bookBuddy: TableFormat = {
  name: 'bookbuddy',
  known: [
    ['title', 'author', 'loaned to'],
    ['title', 'author', 'physical location', 'wish list'],
  ],
  columns: { annee: ['year published', 'date published'], souhait: 'wish list' },
  lists: { author: /;|\s&\s|,\s(?=[^\s;&]+\s+[^\s;&])/ },
  nom: readingOrder,
  quirk: quirks.bookBuddyDetails,
};

/** Every program whose tables are known by their header; the first that fits is taken. */
const PROGRAMS: readonly TableFormat[] = [
  goodreads,
  libraryThing,
  babelio,
  storyGraph,
  libib,
  calibre,
  inventaire,
  bookWyrm,
  neverTooManyBooks,
  openLibrary,
  bookBuddy,
];

/** The program that a header is of, whatever the file's name; `undefined` for none that is known. */
export function recogniseTable(headers: readonly string[]): TableFormat | undefined {
  const names = new Set(headers.map(headerKey));
  const format = PROGRAMS.find(({ known }) =>
    known.some((wanted) => wanted.every((header) => names.has(header))),
  );
  return format && withCommonColumns(format, headers);
}

/** A format with the columns that common names tell; a column of one's own (`#pages`) is none. */
export const withCommonColumns = (format: TableFormat, headers: readonly string[]): TableFormat => {
  const common = guessColonnes(headers.filter((header) => !header.startsWith('#')));
  return { ...format, columns: { ...toColumns(common), ...format.columns } };
};
