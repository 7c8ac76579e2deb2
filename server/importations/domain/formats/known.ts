import type { TableFormat } from './table-format.ts';
import { babelio } from './babelio.ts';
import { bookBuddy } from './bookbuddy.ts';
import { bookWyrm } from './bookwyrm.ts';
import { calibre } from './calibre.ts';
import { goodreads } from './goodreads.ts';
import { inventaire } from './inventaire.ts';
import { libib } from './libib.ts';
import { libraryThing } from './librarything.ts';
import { neverTooManyBooks } from './nevertoomanybooks.ts';
import { openLibrary } from './openlibrary.ts';
import { storyGraph } from './storygraph.ts';

/** Every program whose tables are known by their header; the first that fits is taken. */
const KNOWN: readonly TableFormat[] = [
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
  return KNOWN.find(({ recognises }) =>
    recognises((...wanted) => wanted.every((header) => names.has(header))),
  );
}

/** A header as formats name it. */
export const headerKey = (header: string): string => header.trim().toLowerCase();
