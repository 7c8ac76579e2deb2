import { parse } from 'csv-parse/sync';
import { Refusal } from '#shared/refusals';
import { invalid, raison, type Raison } from '#server/plumbing/common/raisons';
import { withoutGuards } from '#server/plumbing/common/spreadsheet';
import {
  exemplesOf,
  findColonnes,
  mappedFormat,
  signatureOf,
  TableReader,
  withCommonColumns,
  type Mapping,
} from '../columns.ts';
import { guessColonnes } from '../header-words.ts';
import { headOf, MAX_HEAD_LENGTH, repairDoubleEncoding } from '../encodings.ts';
import { MAX_ROWS, RecordList, tooMany, type FileContent } from '../record.ts';
import { recogniseTable } from './programs.ts';
import { MAX_COLUMNS, type TableFormat } from './table-format.ts';

// Tables as texts (docs/rules.md § 35)

/** The maximum of characters in a row, more than any review or book has. */
const MAX_RECORD_LENGTH = 1_000_000;

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** How many lines below the first one, and characters, are searched for a header. */
const MAX_ABOVE = 10;
const MAX_TITLE_LENGTH = 5000;

/**
 * The most frequent separator of the first line outside quotes, unless only another one reveals a known header there
 * or below.
 */
function findSeparator(text: string): string {
  const [line = ''] = /^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(text.slice(0, MAX_HEAD_LENGTH)) ?? [];
  const outside = line.replace(/"(?:[^"]|"")*"/g, '');
  const byCount = SEPARATORS.toSorted((a, b) => outside.split(b).length - outside.split(a).length);
  const lines = text.slice(0, MAX_TITLE_LENGTH).split(/\r\n|\n|\r/, MAX_ABOVE);
  const hasHeader = (separator: string) =>
    lines.some((each) => isKnownHeader(plainCells(each, separator)));
  return byCount.find(hasHeader) ?? byCount[0] ?? ',';
}

const plainCells = (line: string, separator: string): string[] =>
  line.split(separator).map((cell) => cell.replace(/^\s*"|"\s*$/g, ''));

const csvOptions = (delimiter: string) => ({
  delimiter,
  // Tolerates unquoted texts with quotes, and rows without their last columns.
  relax_quotes: true,
  relax_column_count: true,
  max_record_size: MAX_RECORD_LENGTH,
});

type TakeRow = (cells: string[]) => void;

function readRows(utf8: Buffer, separator: string, take: TakeRow): void {
  let count = 0;
  const onRecord = (cells: string[]): null => {
    if (++count > MAX_ROWS + 1) throw tooMany();
    // The parser does not limit the number of cells: a line of separators would be a million.
    if (cells.length > MAX_RECORD_LENGTH) throw tooLong();
    take(withoutGuards(cells));
    return null;
  };
  try {
    parse(utf8, { ...csvOptions(separator), on_record: onRecord });
  } catch (error) {
    throw error instanceof Refusal ? error : toRefusal(error);
  }
}

const tooLong = (): Refusal => invalid(raison('ligneTropLongue'));

function toRefusal(error: unknown): Refusal {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'CSV_MAX_RECORD_SIZE') return tooLong();
  if (code === 'CSV_QUOTE_NOT_CLOSED') return invalid(raison('guillemetsOuverts'));
  return invalid(raison('pasTable'));
}

/** The line by which Excel names the separator. */
const SEPARATOR_LINE = /^"?sep=(.)"?(?:\r\n|\n|\r)/i;

/** How many rows reveal a column's contents. */
const SAMPLE_ROWS = 12;

/** Throws `FICHIER_INVALIDE`. */
export function readTable(whole: Buffer, mapping: Mapping): FileContent {
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(headOf(whole)) ?? [];
  const utf8 = whole.subarray(Buffer.byteLength(separatorLine));
  const head = headOf(utf8);
  const separator = named ?? findSeparator(head);
  const table = new TableContent(separator, mapping, separatorLine === '' ? 0 : 1);
  if (separator === '\t') readTabs(utf8, table.take);
  else readRows(utf8, separator, table.take);
  return table.end();
}

interface TableReading extends HeadersReading {
  readonly reader: TableReader;
  readonly records: RecordList;
}

/** Reads a table row by row; the first rows determine how. */
export class TableContent {
  readonly #separator: string;
  readonly #mapping: Mapping;
  /** The number of lines above the header. */
  readonly #before: number;
  #first: string[][] = [];
  #count = 0;
  #repaired = 0;
  /** Whether the first row is a book instead of a header. */
  #hasNoHeader = false;
  #read: TableReading | null = null;

  constructor(separator: string, mapping: Mapping, before: number) {
    this.#separator = separator;
    this.#mapping = mapping;
    this.#before = before;
  }

  readonly take = (cells: string[]): void => {
    if (this.#read !== null) {
      this.#add(cells, this.#read);
      return;
    }
    this.#first.push(cells);
    if (this.#first.length > MAX_ABOVE + SAMPLE_ROWS) this.#begin();
  };

  end(): FileContent {
    const { reader, format, records, ...read } = this.#read ?? this.#begin();
    const repaired = this.#repaired;
    return {
      format: format.name,
      programme: format.programme,
      headers: reader.headers,
      ...read,
      records: records.read(),
      monthFirst: reader.dates.monthFirst,
      openDates: reader.dates.open,
      premiereLigne: read.colonnes === null ? null : this.#hasNoHeader ? 'livre' : 'entete',
      perdus: reader.perdus,
      avertissements: [
        ...(this.#hasNoHeader && this.#mapping.premiereLigne === undefined
          ? [raison('premiereLigneLivre')]
          : []),
        ...(repaired > 0 ? [raison('accentsRepares', { count: repaired })] : []),
      ],
    };
  }

  #begin(): TableReading {
    const rows = this.#first;
    this.#first = [];
    const above = linesAbove(rows);
    const [header = [], ...others] = rows.slice(above);
    const headers = header.map((cell) => cell.trim());
    if (headers.length > MAX_COLUMNS) throw invalid(raison('colonnesDeTrop'));
    const reading = readHeaders(headers, others.slice(0, SAMPLE_ROWS), this.#mapping);
    const read = {
      ...reading,
      reader: new TableReader(reading.format, headers),
      records: new RecordList(reading.format),
    };
    this.#read = read;
    this.#hasNoHeader = reading.colonnes !== null && this.#isLivre(headers, read.reader);
    this.#count = this.#hasNoHeader ? above : above + 1;
    for (const cells of this.#hasNoHeader ? [header, ...others] : others) this.#add(cells, read);
    return read;
  }

  /** Whether the header is a book: by the person's answer, else the remembered one, else the cells. */
  #isLivre(headers: readonly string[], reader: TableReader): boolean {
    const { premiereLigne, remembered } = this.#mapping;
    const firstRow = premiereLigne ?? remembered(signatureOf(headers))?.premiereLigne;
    return firstRow === undefined || firstRow === null
      ? reader.isRecord(headers)
      : firstRow === 'livre';
  }

  #add(cells: string[], { reader, records }: TableReading): void {
    const ligne = ++this.#count + this.#before;
    if (cells.every((cell) => cell.trim() === '')) return;
    const repairedCells = cells.map(repairDoubleEncoding);
    if (repairedCells.some((cell, at) => cell !== cells[at])) this.#repaired++;
    const { row, shifted } = putRight(repairedCells, this.#separator, reader);
    const read = reader.read(row);
    const record = shifted === null ? read : { ...read, notes: [shifted, ...(read.notes ?? [])] };
    records.add({ ligne, record, cells });
  }
}

interface HeadersReading extends Pick<FileContent, 'colonnes' | 'exemples'> {
  readonly format: TableFormat;
}

/** Determines how a table is read: by its program, else by a mapping, with example values for correcting it. */
function readHeaders(
  headers: readonly string[],
  samples: readonly (readonly string[])[],
  mapping: Mapping,
): HeadersReading {
  const program = mapping.given === null ? recogniseTable(headers) : undefined;
  if (program !== undefined) return { format: withCommonColumns(program, headers), colonnes: null };
  const exemples = exemplesOf(headers, samples);
  const colonnes = findColonnes(headers, exemples, mapping);
  return { format: mappedFormat(colonnes), colonnes, exemples };
}

function isKnownHeader(row: readonly string[]): boolean {
  if (recogniseTable(row) !== undefined) return true;
  const { titre, isbn, ...others } = guessColonnes(row);
  const known = Object.keys(others).length + (isbn === undefined ? 0 : 1);
  return (titre !== undefined && known > 0) || (isbn !== undefined && known > 1);
}

/** Whether one of the first rows is a known header. */
export const hasKnownHeader = (rows: readonly (readonly string[])[]): boolean =>
  rows.slice(0, MAX_ABOVE).some(isKnownHeader);

/** Whether the first line of a text is the header of a program. */
export function isTableOfProgram(text: string): boolean {
  const head = text.slice(SEPARATOR_LINE.exec(text)?.[0].length ?? 0);
  const [first = ''] = head.split(/[\r\n]/, 1);
  return recogniseTable(plainCells(first, findSeparator(head))) !== undefined;
}

/** The number of lines above the header: none, unless a later line has known headers and the first has not. */
function linesAbove(rows: readonly (readonly string[])[]): number {
  const head = rows.slice(0, MAX_ABOVE).map((row) => row.slice(0, MAX_COLUMNS));
  const { titre, isbn } = guessColonnes(head[0] ?? []);
  const at = head.findIndex(isKnownHeader);
  return at > 0 && titre === undefined && isbn === undefined ? at : 0;
}

/**
 * Repairs a row: a single cell that is itself a line with the header's number of cells is split; a row with too many
 * cells is repaired by `TableReader.mended`, or reported.
 */
function putRight(
  cells: readonly string[],
  separator: string,
  reader: TableReader,
): { readonly row: readonly string[]; readonly shifted: Raison | null } {
  const width = reader.headers.length;
  const [only = '', ...others] = cells.filter((cell) => cell.trim() !== '');
  if (others.length === 0 && width > 1 && only.includes(separator)) {
    const [line] = [...lineOf(only, separator, false), looseCells(only, separator)].filter(
      ({ length }) => length === width,
    );
    if (line !== undefined) return { row: withoutGuards(line), shifted: null };
  }
  if (cells.slice(width).every((cell) => cell.trim() === '')) return { row: cells, shifted: null };
  const mended = reader.mended(cells);
  return mended === null
    ? {
        row: cells,
        shifted: raison('cellulesDecalees', { cellules: cells.length, colonnes: width }),
      }
    : { row: mended, shifted: null };
}

function lineOf(text: string, separator: string, isLoose = true): string[][] {
  try {
    return parse(text, { ...csvOptions(separator), relax_quotes: isLoose });
  } catch {
    return [];
  }
}

/** The cells of a line with quotes that are not doubled: each ends at a quote before a separator. */
function looseCells(text: string, separator: string): string[] {
  const line = text + separator;
  const closing = `"${separator}`;
  const last = line.lastIndexOf(closing);
  const cells: string[] = [];
  for (let start = 0; start < line.length;) {
    const isQuoted = line[start] === '"' && last > start;
    const end = line.indexOf(isQuoted ? closing : separator, isQuoted ? start + 1 : start);
    cells.push(line.slice(isQuoted ? start + 1 : start, end));
    start = end + (isQuoted ? closing : separator).length;
  }
  return cells;
}

/** Limits for finding the end of a quoted text, in lines and in characters. */
const MAX_QUOTED_LINES = 100;
const MAX_QUOTED_LENGTH = 20_000_000;

/**
 * Reads a tab-separated table, header included. Most programs do not quote there: quotes are characters, unless only
 * quoting gives the header's number of cells, or the header is quoted. Throws `FICHIER_INVALIDE`.
 */
function readTabs(utf8: Buffer, take: TakeRow): void {
  const lines = utf8.toString().split(/\r\n|\n|\r/, MAX_ROWS + 3);
  const [header = ''] = lines;
  if (/(?:^|\t)"/.test(header)) {
    readRows(utf8, '\t', take);
    return;
  }
  if (lines.length > MAX_ROWS + 2) throw tooMany();
  const width = header.split('\t').length;
  let left = MAX_QUOTED_LENGTH;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.length > MAX_RECORD_LENGTH) throw tooLong();
    const cells = line.split('\t');
    let row = cells.map(unquoted);
    if (cells.length !== width && left > 0 && /(?:^|\t)"/.test(line)) {
      const quoted = quotedRow(lines, at, width);
      left -= quoted.length;
      if (quoted.cells !== null) {
        row = quoted.cells;
        at = quoted.last;
      }
    }
    take(withoutGuards(row));
  }
}

/** Unquotes a cell whose inner quotes are all doubled. */
function unquoted(cell: string): string {
  const inside = cell.slice(1, -1);
  const isQuoted = cell.length > 1 && cell.startsWith('"') && cell.endsWith('"');
  return isQuoted && inside.includes('""') && !inside.replaceAll('""', '').includes('"')
    ? inside.replaceAll('""', '"')
    : cell;
}

/** A row of quoted texts that may go over several lines, `null` where none has the header's number of cells. */
function quotedRow(
  lines: readonly string[],
  at: number,
  width: number,
): { readonly cells: string[] | null; readonly last: number; readonly length: number } {
  let text = '';
  let quotes = 0;
  for (let last = at; last < Math.min(lines.length, at + MAX_QUOTED_LINES); last++) {
    const line = lines[last] ?? '';
    text += `${last === at ? '' : '\n'}${line}`;
    quotes += line.split('"').length - 1;
    if (quotes % 2 === 1) continue;
    const [cells, ...others] = lineOf(text, '\t');
    if (cells?.length === width && others.length === 0) return { cells, last, length: text.length };
    break;
  }
  return { cells: null, last: at, length: text.length };
}
