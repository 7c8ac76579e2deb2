/** A program's file: its text and encoding. */
interface Sample {
  readonly text: string;
  readonly bytes: Buffer;
}

export const utf8 = (text: string): Sample => ({ text, bytes: Buffer.from(text) });
export const latin1 = (text: string): Sample => ({ text, bytes: Buffer.from(text, 'latin1') });

export function utf16(text: string, endian: 'le' | 'be', hasMark = true): Buffer {
  const bytes = Buffer.from(hasMark ? `\ufeff${text}` : text, 'utf16le');
  return endian === 'le' ? bytes : bytes.swap16();
}

const quote = (cell: string, separator: string) =>
  cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

type Cells = Readonly<Record<string, string>>;

/** A table with a header; the cells of a row by header, missing ones are empty. */
export function table(
  headers: readonly string[],
  rows: readonly Cells[],
  { separator = ',', end = '\n' } = {},
): string {
  const lines = rows.map((row) => headers.map((header) => row[header] ?? ''));
  return [headers, ...lines]
    .map((cells) => cells.map((cell) => quote(cell, separator)).join(separator))
    .join(end)
    .concat(end);
}

const GOODREADS = [
  'Book Id',
  'Title',
  'Author',
  'Author l-f',
  'Additional Authors',
  'ISBN',
  'ISBN13',
  'My Rating',
  'Publisher',
  'Binding',
  'Number of Pages',
  'Year Published',
  'Original Publication Year',
  'Date Read',
  'Date Added',
  'Bookshelves',
  'Bookshelves with positions',
  'Exclusive Shelf',
  'My Review',
  'Spoiler',
  'Private Notes',
  'Read Count',
  'Owned Copies',
];

/** Goodreads' columns of 2026, without an average rating. */
export const goodreads = (...rows: readonly Cells[]): string => table(GOODREADS, rows);

/** Goodreads' earlier columns, including those for travelling books. */
export const olderGoodreads = (...rows: readonly Cells[]): string =>
  table([...GOODREADS, 'Average Rating', 'Recommended For', 'BCID'], rows);

/** Babelio's list of books: a quoted header that contains a backtick, CRLF, Latin-1. */
export function babelio(...rows: readonly (readonly string[])[]): Sample {
  const header =
    '"ISBN";"Titre";"Auteur";"Editeur";"Date de publication";"Date d`entrée dans Babelio";"Statut";"Note"';
  return latin1([header, ...rows.map((row) => row.join(';'))].join('\r\n').concat('\r\n'));
}

const LIBRARYTHING = [
  'Book Id',
  'Title',
  'Sort Character',
  'Primary Author',
  'Primary Author Role',
  'Secondary Author',
  'Secondary Author Roles',
  'Publication',
  'Date',
  'Review',
  'Rating',
  'Page Count',
  'Acquired',
  'Date Started',
  'Date Read',
  'Barcode',
  'BCID',
  'Tags',
  'Collections',
  'Languages',
  'ISBN',
  'ISBNs',
  'Subjects',
  'Copies',
  'Source',
  'Entry Date',
  'Lending Patron',
  'Lending Status',
  'Lending Start',
  'Lending End',
];

export const libraryThing = (...rows: readonly Cells[]): string =>
  table(LIBRARYTHING, rows, { separator: '\t' });

/** Goodreads: a book of a series that was read, another one, a wish, and a row without a title. */
export const FILE = goodreads(
  {
    Title: 'Dune (Dune, #1)',
    Author: 'Frank Herbert',
    ISBN13: '9782266320481',
    'Exclusive Shelf': 'read',
  },
  { Title: 'Le Messie de Dune (Dune, #2)', Author: 'Frank Herbert', 'Exclusive Shelf': 'to-read' },
  { Title: 'Ubik', Author: 'Philip K. Dick', Bookshelves: 'wishlist' },
  { Title: '', Author: 'Personne' },
);
