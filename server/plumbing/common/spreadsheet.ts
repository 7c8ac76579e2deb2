import { stringify } from 'csv-stringify/sync';
import type { Locale } from '#shared/locale';

export type Cell = string | number | null;

/**
 * Before what a spreadsheet takes for a formula, at the beginning of a cell and of what another separator would make
 * one: a French spreadsheet parts a table of commas at semicolons. Blanks and quotes may stand between, apostrophes of
 * an earlier guard too.
 */
const FORMULA = `(?=[ \u00a0"']*[=+\\-@\uff1d\uff0b\uff0d\uff20])`;
const CELL_BEGINNING = '(?<=^|[;,\\t\\r\\n])';
const UNGUARDED = new RegExp(`${CELL_BEGINNING}${FORMULA}|^(?='*[\\t\\r])`, 'g');
const GUARD = new RegExp(`${CELL_BEGINNING}'${FORMULA}|^'(?='*[\\t\\r])`, 'g');

/** What parts cells for a spreadsheet that opens a table by a press: where a comma begins decimals, semicolons do. */
export const delimiterOf = (locale: Locale): string =>
  (1.5).toLocaleString(locale).includes(',') ? ';' : ',';

/**
 * Rows as CSV. What a spreadsheet would run as a formula gets one more apostrophe in front, and so does what already
 * looks guarded, so that `withoutGuards` gives the cell back (docs/rules.md § 18, § 41).
 */
export const formatRows = (
  rows: readonly (readonly Cell[])[],
  { delimiter, bom = false }: { readonly delimiter: string; readonly bom?: boolean },
): string =>
  stringify(
    rows.map((cells) => cells.map((cell) => cell && String(cell).replace(UNGUARDED, "'"))),
    {
      bom,
      delimiter,
      record_delimiter: 'windows',
      // By default neither a lone CR or LF nor the other separator is quoted.
      quoted_match: /[;,\r\n\t]/,
    },
  );

export const withoutGuards = (cells: string[]): string[] =>
  cells.some((cell) => cell.includes("'")) ? cells.map((cell) => cell.replace(GUARD, '')) : cells;
