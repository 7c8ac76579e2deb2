import { seriesByTome, seriesInBrackets } from '../series-in-titles.ts';
import { readingOrder } from '../values.ts';
import * as quirks from './quirks.ts';
import type { TableFormat } from './table-format.ts';

/** Series stand in the title, ISBNs in formulas; older files have more columns. */
const goodreads: TableFormat = {
  name: 'goodreads',
  known: [['book id', 'title', 'author', 'exclusive shelf']],
  columns: {
    titre: 'title',
    auteurs: ['author', 'additional authors'],
    isbn: ['isbn13', 'isbn'],
    editeur: 'publisher',
    annee: 'year published',
    nombrePages: 'number of pages',
    format: 'binding',
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
    titre: 'title',
    auteurs: 'primary author',
    isbn: ['isbns', 'isbn'],
    editeur: 'publication',
    annee: 'date',
    nombrePages: 'page count',
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
  columns: {
    titre: 'titre',
    auteurs: 'auteur',
    isbn: ['isbn', 'ean'],
    editeur: 'editeur',
    annee: 'date de publication',
    statut: 'statut',
  },
  nom: quirks.givenNameFirst,
  titre: seriesByTome,
};

/** `ISBN/UID` may be no ISBN. */
const storyGraph: TableFormat = {
  name: 'storygraph',
  known: [['title', 'isbn/uid', 'read status']],
  columns: {
    titre: 'title',
    auteurs: 'authors',
    isbn: 'isbn/uid',
    format: 'format',
    statut: 'read status',
  },
  lists: { authors: ',' },
};

/** Keeps films, music and games in the same file. */
const libib: TableFormat = {
  name: 'libib',
  known: [['item_type', 'title', 'ean_isbn13']],
  columns: {
    titre: 'title',
    auteurs: 'creators',
    isbn: ['ean_isbn13', 'upc_isbn10'],
    editeur: 'publisher',
    annee: 'publish_date',
    nombrePages: 'length',
    statut: 'status',
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
  columns: {
    titre: 'title',
    auteurs: 'authors',
    isbn: 'isbn',
    editeur: 'publisher',
    annee: 'pubdate',
    serie: 'series',
    numero: 'series_index',
  },
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
    titre: 'title',
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
    titre: 'title',
    auteurs: 'author_details',
    isbn: 'isbn',
    editeur: ['publisher', 'publisher_details'],
    annee: 'date_published',
    nombrePages: 'pages',
    format: 'format',
    statut: 'bookshelf',
    souhait: 'bookshelf',
    serie: 'series_details',
    emprunteur: 'loaned_to',
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
  columns: { titre: 'title', auteurs: 'authors', isbn: 'isbn', statut: 'bookshelf' },
  lists: { authors: ',' },
  quirk: quirks.namedOnly,
};

const bookBuddy: TableFormat = {
  name: 'bookbuddy',
  known: [
    ['title', 'author', 'loaned to'],
    ['title', 'author', 'physical location', 'wish list'],
  ],
  columns: {
    titre: 'title',
    auteurs: 'author',
    isbn: 'isbn',
    editeur: 'publisher',
    annee: ['year published', 'date published'],
    nombrePages: ['number of pages', 'pages'],
    format: 'format',
    statut: 'status',
    souhait: 'wish list',
    serie: 'series',
    numero: 'volume',
    emprunteur: 'loaned to',
    datePret: 'date loaned',
  },
  lists: { author: /;|\s&\s|,\s(?=\S+\s)/ },
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
  return PROGRAMS.find(({ known }) =>
    known.some((wanted) => wanted.every((header) => names.has(header))),
  );
}

/** A header as formats name it. */
export const headerKey = (header: string): string => header.trim().toLowerCase();
