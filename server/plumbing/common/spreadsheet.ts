import { stringify } from 'csv-stringify/sync';

export type Cell = string | number | null;

/** The place before what a spreadsheet takes for a formula, apostrophes or not. */
const FORMULA = /^(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;
const GUARD = new RegExp(`^'${FORMULA.source.slice(1)}`);

/**
 * Rows as CSV. A cell that a spreadsheet would run as a formula gets one more apostrophe in front, and so does one that
 * already looks guarded, so that `withoutGuards` gives the cell back (docs/rules.md § 18, § 41).
 */
export const formatRows = (
  rows: readonly (readonly Cell[])[],
  { delimiter, bom = false }: { readonly delimiter: string; readonly bom?: boolean },
): string =>
  stringify(
    rows.map((cells) => cells.map((cell) => cell && String(cell).replace(FORMULA, "'"))),
    {
      bom,
      delimiter,
      record_delimiter: 'windows',
      // By default a lone CR or LF is not quoted.
      quoted_match: /[\r\n\t]/,
    },
  );

export const withoutGuards = (cells: string[]): string[] =>
  cells.some((cell) => cell.startsWith("'")) ? cells.map((cell) => cell.replace(GUARD, '')) : cells;
