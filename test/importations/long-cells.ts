import { printedCode } from '#shared/codes';
import { parseTome } from '#shared/series-titres';
import { openFile } from '#server/subjects/importations/sniff';
import { seriesInBrackets } from '#server/subjects/importations/formats/table-format';
import { NO_LECTURES, type ImportRecord } from '#server/subjects/importations/record';
import { cleanRow } from '#server/subjects/importations/rows';
import {
  bare,
  decodeEntities,
  inFigures,
  DateOrder,
  readAnnee,
  readDay,
  readCount,
  readEtatLecture,
  readIsbns,
  readNote,
  readPartialDate,
} from '#server/subjects/importations/values';
import { NomColumn, readingOrder, turned } from '#server/plumbing/upstream/noms';

/** Characters that a reader's pattern or loop looks for. */
export const SIGNS = [
  '"',
  "'",
  ',',
  ';',
  '|',
  '(',
  ')',
  '[',
  ']',
  '#',
  '&',
  '=',
  '-',
  '/',
  '.',
  ':',
  ' ',
  '\t',
  '\n',
  '\u2028',
  '\u00a0',
  'a',
  'A',
  '1',
  '<',
  '\0',
  '😀',
  '\u0301',
  '★',
  '،',
  'é',
];

/** 100 kB of one character, or of two alternating ones. */
export const longText = (signs: string, bytes = 100_000): string =>
  signs.repeat(Math.ceil(bytes / Buffer.byteLength(signs)));

const raw = (more: Partial<ImportRecord>): void =>
  void cleanRow({ titre: 'A', auteurs: [], ...more }, 'statut', false);

const lectures = (more: Partial<typeof NO_LECTURES>): void =>
  raw({ lectures: { ...NO_LECTURES, ...more } });

/** The functions that read a cell. */
export const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  bare,
  decodeEntities,
  inFigures,
  DateOrder: (text) => new DateOrder().add(text),
  NomColumn: (text) => {
    const column = new NomColumn();
    column.add([text]);
    return column.read([text]);
  },
  readAnnee,
  readDay: (text) => readDay(text, false),
  readCount,
  readEtatLecture,
  readIsbns: (text) => readIsbns([text]),
  readNote,
  readPartialDate: (text) => readPartialDate(text, false),
  readingOrder,
  turned,
  seriesInBrackets,
  parseTome,
  printedCode,
  titre: (titre) => raw({ titre }),
  auteurs: (text) => raw({ auteurs: [text] }),
  editeur: (editeur) => raw({ editeur }),
  emplacement: (emplacement) => raw({ emplacement }),
  serie: (titre) => raw({ series: [{ titre, numero: titre }] }),
  emprunteur: (emprunteur) => raw({ pret: { emprunteur, date: emprunteur } }),
  themes: (text) => raw({ themes: [{ colonne: 'A', noms: [text] }] }),
  dates: (dates) => lectures({ dates }),
  debut: (debut) => lectures({ debut, abandon: debut, count: debut, note: debut }),
  avis: (avis) => lectures({ avis, notes: avis }),
};

/** The headers of each program's tables, and of an unknown table. */
export const HEADERS: readonly (readonly string[])[] = [
  [
    'Book Id',
    'Title',
    'Author',
    'Additional Authors',
    'ISBN',
    'ISBN13',
    'My Rating',
    'Publisher',
    'Binding',
    'Number of Pages',
    'Year Published',
    'Date Read',
    'Bookshelves',
    'Exclusive Shelf',
    'My Review',
    'Private Notes',
    'Read Count',
  ],
  [
    'Book Id',
    'Title',
    'Primary Author',
    'Secondary Author',
    'Secondary Author Roles',
    'Publication',
    'ISBNs',
    'Media',
    'Collections',
    'Date Read',
    'Date Started',
    'Tags',
    'Lending Patron',
    'Lending Start',
    'Lending End',
    'Review',
    'Rating',
    'Subjects',
  ],
  ['Titre', 'Auteur', 'ISBN', 'Statut', 'Note', 'Date de lecture'],
  ['Title', 'Authors', 'ISBN/UID', 'Format', 'Read Status', 'Dates Read', 'Star Rating', 'Owned?'],
  [
    'item_type',
    'title',
    'creators',
    'first_name',
    'last_name',
    'ean_isbn13',
    'publisher',
    'publish_date',
    'length',
    'collection',
    'tags',
    'status',
  ],
  [
    'title',
    'authors',
    'author_sort',
    'identifiers',
    'isbn',
    'pubdate',
    'formats',
    'series',
    'series_index',
    'tags',
    'rating',
  ],
  [
    'Item URL',
    'Edition ISBN-13',
    'Edition title',
    'Authors labels',
    'Publisher label',
    'Edition publication date',
    'Series labels',
    'Works series ordinals',
    'Shelves',
  ],
  ['title', 'author_text', 'remote_id', 'isbn_13', 'shelf', 'shelf_name', 'finish_date', 'rating'],
  [
    '_id',
    'title',
    'author_details',
    'series_details',
    'publisher_details',
    'bookshelf',
    'date_published',
    'read',
    'read_start',
    'read_end',
  ],
  ['Work Id', 'Edition Id', 'Title', 'Authors', 'Bookshelf'],
  [
    'Title',
    'Subtitle',
    'Author',
    'Loaned To',
    'Date Loaned',
    'Physical Location',
    'Series',
    'Volume',
    'Wish List',
    'Date Published',
    'Tags',
    'Notes',
  ],
  ['IdAlbum', 'Series', 'Num', 'Titre', 'Scenariste', 'Dessinateur', 'DL', 'Wishlist', 'Style'],
  [
    'Titre de la série',
    "Titre de l'album",
    'Dans ma collection',
    'Auteurs',
    'Tome',
    'Lu',
    'Prété à',
  ],
  [
    'title',
    'author',
    'book_format',
    'readings',
    'status',
    'deleted',
    'publication_year',
    'subtitle',
  ],
  [
    'Titre',
    'Auteurs',
    'ISBN',
    'Éditeur',
    'Année',
    'Pages',
    'Format',
    'Statut',
    'Série',
    'Tome',
    'Emplacement',
    'Prêté à',
    'Date de prêt',
    'À rendre le',
    'Souhaits',
    'Thèmes',
    'Lectures',
    'Étoiles',
    'Mon mot',
    'Exemplaires',
    'Cote',
  ],
];

/** A table with one row, in which every cell is this text, quoted or not. */
export function tableOf(headers: readonly string[], text: string, separator: string): string {
  const isPlain = separator === '\t';
  const cell = isPlain ? text.replace(/[\n\t]/g, ' ') : `"${text.replaceAll('"', '""')}"`;
  return [headers, headers.map(() => cell)].map((row) => row.join(separator)).join('\n');
}

export const readTable = (text: string) =>
  openFile(Buffer.from(text), { given: null, remembered: () => null });
