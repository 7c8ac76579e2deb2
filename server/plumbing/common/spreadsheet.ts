import { stringify } from 'csv-stringify/sync';
import type { Locale } from '#shared/locale';

export type Cell = string | number | null;

/**
 * Position before a text that a spreadsheet would take for a formula: at the start of a cell, or after a separator of
 * another locale, since a French spreadsheet splits at semicolons. Blanks, quotes and apostrophes of an earlier guard
 * may come first.
 */
const FORMULA = `(?=[ \u00a0"']*[=+\\-@\uff1d\uff0b\uff0d\uff20])`;
const CELL_BEGINNING = '(?<=^|[;,\\t\\r\\n])';
const UNGUARDED = new RegExp(`${CELL_BEGINNING}${FORMULA}|^(?='*[\\t\\r])`, 'g');
const GUARD = new RegExp(`${CELL_BEGINNING}'${FORMULA}|^'(?='*[\\t\\r])`, 'g');

/** The separator that a spreadsheet of this language expects: semicolons where decimals have a comma. */
export const delimiterOf = (locale: Locale): string =>
  (1.5).toLocaleString(locale).includes(',') ? ';' : ',';

/**
 * Formats rows as CSV. An apostrophe guards texts that a spreadsheet would run as a formula, and texts that already
 * look guarded, so that `withoutGuards` restores every cell (docs/rules.md § 18, § 41).
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
      // By default the writer quotes neither a lone CR or LF nor the other separator.
      quoted_match: /[;,\r\n\t]/,
    },
  );

export const withoutGuards = (cells: string[]): string[] =>
  cells.some((cell) => cell.includes("'")) ? cells.map((cell) => cell.replace(GUARD, '')) : cells;
