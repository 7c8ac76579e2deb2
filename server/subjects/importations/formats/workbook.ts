import type { Cell, CellValue, MergeRange, ReadOptions, Sheet } from 'hucre';
import type { Zip } from '#server/plumbing/common/zip';
import { withoutGuards } from '#server/plumbing/common/spreadsheet';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { shortened } from '#shared/text';
import type { Mapping } from '../columns.ts';
import { type FileContent, MAX_ROWS, tooMany } from '../record.ts';
import { hasKnownHeader, TableContent } from './csv.ts';

// Workbooks of a spreadsheet (docs/rules.md § 35)

/** So many sheets are looked at for one with a header. */
const MAX_SHEETS = 10;

/** The first sheet with a header that is known, else the first with rows below another; the others are told. */
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
  /** How many cells were filled from one that they were merged with. */
  readonly merged: number;
}

interface NamedSheet extends SheetTexts {
  readonly sheet: string;
  /** Whether what is beyond `NEAR` was not read. */
  readonly isBounded: boolean;
}

/** What is read of a sheet that spans more than the library takes: a cell may be formatted in its last row and column. */
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

/** Where a workbook says how its numbers look, and how it says that some are percentages. */
const PERCENTAGES = {
  xlsx: { file: 'xl/styles.xml', sign: /numFmtId="(?:9|10)"|%/ },
  ods: { file: 'content.xml', sign: /percentage/ },
} as const;
const MAX_SIGN_LENGTH = 60;

/** As long as a list that is no workbook may be, in bytes. */
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;

/** A cell of a column from « BAA » on, the 1,379th. */
const FAR_CELL = /<c\b[^<>]{0,40}\br="[B-Z][A-Z]{2}\d/;

/** Of Excel and LibreOffice, in characters. */
const MAX_CELL_LENGTH = 32_767;

/**
 * Styles are read of such workbooks alone: they take memory for each cell. The library unpacks by itself, and all files are
 * read to their ends before: none may be longer than the zip says, damaged, or together longer than a list may be. Of a
 * sheet with a far cell it would give each row all cells before.
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

/** Cells may share one text: throws where one is longer than a spreadsheet's may be, or all are longer than a file. */
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

/** The columns in which more words than yes and no stand below the first row: TRUE is a word there, as a title. */
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

/** A text that stands once for several rows, as an author beside three titles, is of each of them. */
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

/** Without the hour where there is none. */
const dayOf = (date: Date): string =>
  date
    .toISOString()
    .replace(/T00:00:00\.000Z$/, '')
    .replace(/T(\d\d:\d\d):.*$/, ' $1');
