import { formatCount, partsOf } from '#shared/text';
import { readLecture } from './formats/read-table.ts';
import type { Cell } from './formats/table-format.ts';

/** Whether a row brings something of a kind. */
type Brings = (cell: Cell) => boolean;

/** What stands in one of these columns. */
const anyOf =
  (...headers: readonly string[]): Brings =>
  (cell) =>
    headers.some((header) => cell(header) !== '');

/** Goodreads keeps a state of reading on shelves too; any other shelf is its person's own. */
const hasOwnShelf: Brings = (cell) =>
  [...partsOf(cell('bookshelves'), ','), cell('exclusive shelf')].some(
    (shelf) => shelf !== '' && readLecture(shelf) === null,
  );

const hasTags = anyOf('tags');

/** What programs keep of a book and the household does not, told by its plural. */
const KINDS: readonly (readonly [one: string, several: string, brings: Brings])[] = [
  ['étiquette', 'étiquettes', (cell) => hasTags(cell) || hasOwnShelf(cell)],
  [
    'date d’ajout',
    'dates d’ajout',
    anyOf('date added', 'date d`entrée dans babelio', "date d'entrée dans babelio", 'entry date'),
  ],
];

/** Counts what a table brings and the household does not keep. */
export class LostValues {
  readonly #counts = KINDS.map(([one, several, brings]) => ({ one, several, brings, count: 0 }));

  /** @param cell the cells of one row */
  take(cell: Cell): void {
    for (const kind of this.#counts) if (kind.brings(cell)) kind.count++;
  }

  /** « 376 étiquettes et 12 dates d’ajout ne sont pas reprises »; nothing where nothing is lost. */
  get told(): string[] {
    const lost = this.#counts.filter(({ count }) => count > 0);
    if (lost.length === 0) return [];
    const isOne = lost.length === 1 && lost[0]?.count === 1;
    const parts = lost.map(
      ({ one, several, count }) => `${formatCount(count)} ${count === 1 ? one : several}`,
    );
    const list = new Intl.ListFormat('fr').format(parts);
    return [`${list} ${isOne ? 'n’est pas reprise' : 'ne sont pas reprises'}`];
  }
}
