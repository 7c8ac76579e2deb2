import { stringify } from 'csv-stringify/sync';

export type Cell = string | number | null;

/** Before what a spreadsheet takes for a formula, with or without apostrophes. */
const FORMULA = /^(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/;
const GUARD = new RegExp(`^'${FORMULA.source.slice(1)}`);

/**
 * Rows as CSV. A cell that a spreadsheet would take for a formula, or that begins as such a cell is written, begins with
 * one more apostrophe (docs/rules.md § 18, § 41), which `withoutGuards` takes off.
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
      // By default only the whole record delimiter is quoted, not a lone CR or LF.
      quoted_match: /[\r\n\t]/,
    },
  );

/** The cells of a row that is read, without the apostrophe before what looks like a formula. */
export const withoutGuards = (cells: string[]): string[] =>
  cells.some((cell) => cell.startsWith("'")) ? cells.map((cell) => cell.replace(GUARD, '')) : cells;
