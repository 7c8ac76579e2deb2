import type { Cell, CellValue, MergeRange, ReadOptions, Sheet } from 'hucre';
import type { Zip } from '#server/plumbing/common/zip';
import { withoutGuards } from '#server/plumbing/common/spreadsheet';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { shortened } from '#shared/text';
import type { Mapping } from '../columns.ts';
import { type FileContent, MAX_ROWS, tooMany } from '../record.ts';
import { hasKnownHeader, TableContent } from './csv.ts';

// Workbooks of a spreadsheet (docs/rules.md § 35)

/** How many sheets are searched for a header. */
const MAX_SHEETS = 10;

/** The first sheet with a known header, else the first with rows below another; the others are reported. */
export async function readWorkbook(
  zip: Zip,
  source: Buffer,
  kind: 'xlsx' | 'ods',
  mapping: Mapping,
): Promise<FileContent> {
  const { rows, merged, sheet, isBounded } = await sheetOf(zip, source, kind);
  if (rows.length > MAX_ROWS) throw tooMany();
  const table = new TableContent('\t', mapping, 0);
  for (const cells of rows) table.take(withoutGuards([...cells]));
  const read = table.end();
  return {
    ...read,
    ...(read.programme === null && { format: 'tableur', programme: 'Excel, LibreOffice' }),
    avertissements: [
      raison('feuille', { feuille: shortened(sheet, 40) }),
      ...(isBounded ? [raison('feuilleLarge')] : []),
      ...(merged > 0 ? [raison('cellulesCommunes', { count: merged })] : []),
      ...read.avertissements,
    ],
  };
}

interface SheetTexts {
  readonly rows: string[][];
  /** How many cells were filled from a merged one. */
  readonly merged: number;
}

interface NamedSheet extends SheetTexts {
  readonly sheet: string;
  /** Whether cells beyond `NEAR` were not read. */
  readonly isBounded: boolean;
}

/** The range read of a sheet that is too large for the library: a formatted cell may be in its last row and column. */
const NEAR = 'A1:GP100002';

async function sheetOf(zip: Zip, source: Buffer, kind: 'xlsx' | 'ods'): Promise<NamedSheet> {
  const { readStyles, isFar } = await lookThrough(zip, kind);
  const { readXlsx, readOds } = await import('hucre');
  const read = kind === 'xlsx' ? readXlsx : readOds;
  let first: NamedSheet | null = null;
  for (let at = 0, count = 1; at < Math.min(count, MAX_SHEETS); at++) {
    let isBounded = false;
    const options: ReadOptions = {
      readStyles,
      sheets: ({ index }) => {
        count = Math.max(count, index + 1);
        return index === at;
      },
    };
    const readNear = () => {
      isBounded = true;
      return read(source, { ...options, range: NEAR });
    };
    const { sheets } = await (isFar ? readNear() : read(source, options).catch(readNear)).catch(
      () => {
        throw invalid(raison('classeurIllisible'));
      },
    );
    for (const sheet of sheets) {
      const table = { ...textsOf(sheet), sheet: sheet.name, isBounded };
      if (table.rows.filter((row) => row.some((text) => text !== '')).length < 2) continue;
      if (hasKnownHeader(table.rows)) return table;
      first ??= table;
    }
  }
  if (first !== null) return first;
  throw invalid(raison('classeurVide'));
}

/** The files in which each kind of workbook declares its number formats, percentages among them. */
const PERCENTAGES = {
  xlsx: { file: 'xl/styles.xml', sign: /numFmtId="(?:9|10)"|%/ },
  ods: { file: 'content.xml', sign: /percentage/ },
} as const;
const MAX_SIGN_LENGTH = 60;

/** The limit of any other list, in bytes. */
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;

/** A cell of a column from « BAA » on, the 1,379th. */
const FAR_CELL = /<c\b[^<>]{0,40}\br="[B-Z][A-Z]{2}\d/;

/** The limit of Excel and LibreOffice, in characters. */
const MAX_CELL_LENGTH = 32_767;

/**
 * Checks a workbook before the library unpacks it: files must not be damaged, longer than the zip declares, or too
 * long together. Styles are read only if percentages need them, since they take memory for each cell. A far cell
 * would make the library fill all cells before it.
 */
async function lookThrough(zip: Zip, kind: keyof typeof PERCENTAGES) {
  const { file, sign } = PERCENTAGES[kind];
  let [readStyles, isFar, length] = [false, false, 0];
  for (const name of zip.names) {
    let end = '';
    for await (const chunk of zip.read(name)) {
      if (!name.endsWith('.xml')) continue;
      length += chunk.length;
      if (length > MAX_UNPACKED_BYTES) throw invalid(raison('archiveTropGrande'));
      const text = end + chunk.toString('latin1');
      readStyles ||= name === file && sign.test(text);
      isFar ||= FAR_CELL.test(text);
      end = text.slice(-MAX_SIGN_LENGTH);
    }
  }
  return { readStyles, isFar };
}

/** A sheet without the empty cells around its texts, which may be formatted a million rows below. */
function textsOf({ rows, cells, merges = [] }: Sheet): SheetTexts {
  const filled = rows.slice(0, rows.findLastIndex((row) => row.some(isFilled)) + 1);
  const width = filled.reduce((most, row) => Math.max(most, row.findLastIndex(isFilled) + 1), 0);
  const words = wordColumns(filled);
  const texts = filled.map((row, at) =>
    row.slice(0, width).map((value, column) => {
      if (typeof value === 'boolean' && words.has(column)) return value ? 'True' : 'False';
      return typeof value === 'number' && isPercentage(cells?.get(`${at},${column}`))
        ? `${Number((value * 100).toFixed(4))} %`
        : textOf(value);
    }),
  );
  requireBounded(texts);
  return { rows: texts, merged: fillMerged(texts, merges) };
}

/**
 * Throws if a text is too long for a spreadsheet, or all cells together are longer than a file, since cells may share
 * a text.
 */
function requireBounded(rows: readonly (readonly string[])[]): void {
  let length = 0;
  for (const row of rows)
    for (const text of row) {
      length += text.length;
      if (text.length > MAX_CELL_LENGTH) throw invalid(raison('ligneTropLongue'));
      if (length > MAX_UNPACKED_BYTES) throw invalid(raison('archiveTropGrande'));
    }
}

const isFilled = (value: CellValue): boolean => value !== null && value !== '';

const isPercentage = (cell: Cell | undefined): boolean =>
  cell?.style?.numFmt?.includes('%') === true;

/** The columns with more words than yes and no below the first row: TRUE may be a word there, such as a title. */
function wordColumns(rows: readonly (readonly CellValue[])[]): ReadonlySet<number> {
  const words = new Map<number, number>();
  for (const row of rows.slice(1))
    for (const [column, value] of row.entries())
      if (isFilled(value))
        words.set(column, (words.get(column) ?? 0) + (typeof value === 'boolean' ? -1 : 1));
  return new Set([...words].flatMap(([column, more]) => (more > 0 ? [column] : [])));
}

/** Merged cells overlap in no workbook of a program. */
const MAX_MERGED_ROWS = 200_000;

/** Copies a merged cell's text to all its rows, such as an author beside three titles. */
function fillMerged(rows: string[][], merges: readonly MergeRange[]): number {
  let count = 0;
  let left = MAX_MERGED_ROWS;
  for (const { startRow, endRow, startCol, endCol } of merges) {
    const text = rows[startRow]?.[startCol] ?? '';
    if (text === '' || startCol !== endCol) continue;
    for (const row of rows.slice(startRow + 1, Math.min(endRow, startRow + left) + 1)) {
      left--;
      // Beyond its last text a row has no cells.
      while (row.length < startCol) row.push('');
      if ((row[startCol] ?? '') !== '') continue;
      row[startCol] = text;
      count++;
    }
  }
  return count;
}

/** A cell as a person reads it: the value of a formula, a day, « oui ». */
function textOf(value: CellValue): string {
  if (value === null) return '';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : dayOf(value);
  return typeof value === 'boolean' ? (value ? 'oui' : 'non') : String(value).trim();
}

/** Without the time if there is none. */
const dayOf = (date: Date): string =>
  date
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/T(\d\d:\d\d):.*$/, ' $1');
