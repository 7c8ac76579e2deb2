import { isAscii, isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { bareCode } from '#shared/codes';
import type { DecodageLu, Encodage } from '#shared/importations';
import { Refusal } from '#shared/refusals';
import { normaliser, shortened } from '#shared/text';
import { parseForeign } from '#server/plumbing/common/json';
import { readStart } from '#server/plumbing/database/files';
import { mapped, PackedList } from '#server/plumbing/common/packed-list';
import { withoutGuards } from '#server/plumbing/common/spreadsheet';
import { openUnpacked } from './archives.ts';
import { declaredEncodage, isIso2709, isListOfXml, xmlList } from './xml-lists.ts';
import { isBibtex, isCsl, isRis, readBibtex, readCsl, readRis } from './bibliographies.ts';
import { decoderOf, guessEncodage } from './encodings.ts';
import { HEAD_BYTES, isExport, isExportFile, openExport, toBuffer } from './archive.ts';
import { contentOf, contentOfList, MAX_ROWS, tooMany, type ReadList } from './lists.ts';
import { libraryThing, libraryThingTable } from './librarything.ts';
import { recogniseTable } from './programs.ts';
import type { TableFormat } from './table-format.ts';
import {
  exemplesOf,
  findColonnes,
  guessColonnes,
  mappedFormat,
  MAX_CELL_LENGTHS,
  TableReader,
  withCommonColumns,
  type Mapping,
} from './tables.ts';
import { TOLD_BY_BYTES, type FileContent, type FileRecord, type OpenedFile } from './rows.ts';
import { isMonthFirst } from './values.ts';
import { WholeColumns } from './whole-columns.ts';
import { nomReader } from '#server/plumbing/upstream/noms';
import { invalid, raison, type Raison, type RaisonCode } from '#server/plumbing/common/raisons';

const MAX_COLUMNS = 1000;

/**
 * Whether a file at a path is read by what is loaded: a table, a list, our own export. The readers of all else are large,
 * and so may be what they read, unpacked.
 */
export function isPlain(path: string): boolean {
  const start = readStart(path, HEAD_BYTES).toString('latin1');
  return isExport(start) || !/^(?:\xef\xbb\xbf)?\s*(?:[<@%]|PK|\x1f\x8b|\d{5}[a-z])/.test(start);
}

/** Longer than any review, or any record of a book, in characters. */
const MAX_RECORD_LENGTH = 1_000_000;

/** Of the beginning of a file, in characters: more is not read to know its header. */
const MAX_HEAD_LENGTH = 250_000;

/** How binary files begin that people take for tables. */
const SIGNATURES: readonly (readonly [bytes: string, raison: RaisonCode])[] = [
  ['\xd0\xcf\x11\xe0', 'classeurAncien'],
  ['\x1f\x8b', 'compresse'],
  ['%PDF', 'pdf'],
  ['{\\rtf', 'rtf'],
  ['SQLite format 3', 'baseDeDonnees'],
];

/**
 * Recognises and reads a file by its content, or at a path. Throws `FICHIER_INVALIDE` (docs/rules.md § 35).
 *
 * @param said the encoding, as its person says; `null` where nothing is said
 */
export async function openFile(
  file: Uint8Array | string,
  mapping: Mapping,
  said: Encodage | null = null,
): Promise<OpenedFile> {
  if (typeof file !== 'string') return openBytes(toBuffer(file), mapping, said);
  return isExportFile(file) ? openExport(file) : openBytes(readFileSync(file), mapping, said);
}

function openBytes(
  bytes: Buffer,
  mapping: Mapping,
  said: Encodage | null,
): OpenedFile | Promise<OpenedFile> {
  const start = bytes.subarray(0, HEAD_BYTES).toString('latin1');
  for (const [signature, code] of SIGNATURES)
    if (start.startsWith(signature)) throw invalid(raison(code));
  if (start.startsWith('PK\x03\x04')) return openArchive(bytes, start, mapping);
  if (isIso2709(bytes)) return openIso2709(bytes);
  const { utf8, encodage, strays, encodagePar } = decodeFile(bytes, said);
  const head = headOf(utf8);
  const decodage = {
    encodagePar,
    encodageExemples: encodagePar === 'octets' ? [] : linesBeyondAscii(head),
  };
  const other = otherKindOf(head);
  if (other !== null) throw invalid(other);
  if (head.trim() === '' && utf8.toString().trim() === '') throw invalid(raison('fichierVide'));
  const nul = utf8.indexOf(0);
  if (nul !== -1) throw invalid(raison(nul < MAX_HEAD_LENGTH ? 'pasTexteExportez' : 'pasTexte'));
  const opened = (read: FileContent): OpenedFile => ({
    ...read,
    ...{ encodage, decodage, rest: [] },
    avertissements: [...strayBytes(strays), ...read.avertissements],
  });
  const list = listIn(head, utf8);
  if (list !== null) return list.then((read) => opened(contentOfList(read)));
  return opened(
    withDecodage({ encodage, ...decodage }, () =>
      /^\s*(?:\{|\[\s*[{\]])/.test(head) ? readJson(utf8) : readTable(utf8, mapping),
    ),
  );
}

/** Its characters are told by norms of libraries, which no decoder knows. */
const openIso2709 = async (bytes: Buffer): Promise<OpenedFile> => ({
  ...contentOfList((await import('./marc.ts')).readIso2709(bytes)),
  ...{ encodage: 'utf-8', decodage: TOLD_BY_BYTES, rest: [] },
});

/** A list that is neither a table nor JSON, by how it begins; its reader is loaded when it is needed. */
function listIn(head: string, utf8: Buffer): Promise<ReadList> | null {
  if (isRis(head)) return Promise.resolve(readRis(utf8.toString()));
  if (isBibtex(head)) return readBibtex(utf8.toString());
  return head.trimStart().startsWith('<') ? xmlList(head, utf8.toString()) : null;
}

const MAX_EXEMPLES = 3;

const linesBeyondAscii = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .filter((line) => /[^\0-\x7f]/.test(line))
    .slice(0, MAX_EXEMPLES)
    .map((line) => shortened(line.replace(/"?[;\t|]"?/g, ' · ').replace(/^"|"$/g, ''), 200));

/** Of a table whose columns nobody knows its person may say the encoding first: the refusal tells it. */
function withDecodage<T>(decodage: DecodageLu & { readonly encodage: Encodage }, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal) || decodage.encodagePar === 'octets') throw error;
    throw error.with({ details: decodage });
  }
}

/** No character is longer in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

const headOf = (utf8: Buffer): string =>
  utf8
    .subarray(0, MAX_CHARACTER_BYTES * MAX_HEAD_LENGTH)
    .toString()
    .slice(0, MAX_HEAD_LENGTH);

/** What a file of text is that is neither a table nor JSON, and what to do with it; `null` for those that may be. */
function otherKindOf(head: string): Raison | null {
  const text = head.trimStart();
  if (!text.startsWith('<')) return null;
  const start = text.slice(0, 2000);
  if (/<!doctype html|<html[\s>]/i.test(start)) return raison('pageWeb');
  if (isListOfXml(head)) return null;
  return /^<[?!a-z]/i.test(text) ? raison('xmlInconnu') : null;
}

/** A household's own export, a spreadsheet, or another program's list with its pictures. Throws `FICHIER_INVALIDE`. */
async function openArchive(bytes: Buffer, start: string, mapping: Mapping): Promise<OpenedFile> {
  if (isExport(start)) return openExport(bytes);
  if (start.includes('manifest.json')) throw invalid(raison('sauvegarde'));
  const unpacked = await openUnpacked(bytes, (rows) =>
    rows.slice(0, MAX_ABOVE).some(isKnownHeader),
  );
  const opened = { encodage: 'utf-8', decodage: TOLD_BY_BYTES, rest: [] } as const;
  if ('list' in unpacked) return { ...contentOfList(unpacked.list), ...opened };
  const { rows, sheet } = unpacked;
  if (rows.length > MAX_ROWS) throw tooMany();
  const table = new TableContent('\t', mapping, 0);
  for (const cells of rows) table.take(withoutGuards([...cells]));
  const read = table.end();
  return {
    ...read,
    ...opened,
    format: read.format === 'table' ? 'tableur' : read.format,
    avertissements: [raison('feuille', { feuille: shortened(sheet, 40) }), ...read.avertissements],
  };
}

// Characters

/** `strays` counts single bytes that are not UTF-8 in a file that is. */
interface DecodedText {
  readonly encodage: Encodage;
  readonly utf8: Buffer;
  readonly strays: number;
}

/**
 * Decodes a file by its byte order mark, by the zeros of UTF-16, as UTF-8 where it is that but for a
 * few single bytes, and as is likeliest otherwise (docs/rules.md § 35).
 *
 * @param said the encoding in place of what is found
 */
export function decodeFile(
  bytes: Buffer,
  said: Encodage | null = null,
): DecodedText & Pick<DecodageLu, 'encodagePar'> {
  if (said !== null) return { ...decodedAs(bytes, said), encodagePar: 'choix' };
  const told = toldByBytes(bytes);
  const declared = declaredEncodage(bytes.subarray(0, HEAD_BYTES).toString('latin1'));
  if (told === null && declared !== null)
    return { ...decodedAs(bytes, declared), encodagePar: 'octets' };
  return told === null
    ? { ...decodedAs(bytes, guessEncodage(bytes)), encodagePar: 'estimation' }
    : { ...told, encodagePar: 'octets' };
}

function toldByBytes(bytes: Buffer): DecodedText | null {
  const marked = markOf(bytes);
  if (marked !== null) {
    const [encodage, length] = marked;
    return decodedAs(bytes.subarray(length), encodage);
  }
  if (isAscii(bytes)) return { encodage: 'utf-8', utf8: bytes, strays: 0 };
  const decoded = decodeUtf8(bytes);
  return decoded.strays === 0 || decoded.characters > decoded.strays ? decoded : null;
}

function decodedAs(bytes: Buffer, encodage: Encodage): DecodedText {
  if (encodage === 'utf-8')
    return decodeUtf8(bytes.subarray(bytes.indexOf(UTF8_MARK) === 0 ? 3 : 0));
  return { encodage, utf8: recoded(bytes, encodage), strays: 0 };
}

const UTF8_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** A file of many megabytes is recoded in pieces: its text alone would take two bytes a character. */
const PIECE_BYTES = 1_000_000;

/** @param endOf where a piece may end that would end here */
function* piecesOf(
  bytes: Buffer,
  endOf: (end: number) => number = (end) => end,
): Generator<Buffer> {
  for (let start = 0; start < bytes.length;) {
    const end = endOf(Math.min(start + PIECE_BYTES, bytes.length));
    yield bytes.subarray(start, end);
    start = end;
  }
}

function recoded(bytes: Buffer, encodage: Encodage): Buffer {
  const decoder = decoderOf(encodage);
  const pieces = Array.from(piecesOf(bytes), (piece) => Buffer.from(decoder.decode(piece)));
  return Buffer.concat([...pieces, Buffer.from(decoder.decode())]);
}

function markOf(bytes: Buffer): readonly [Encodage, number] | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return ['utf-8', 3];
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['utf-16le', 2];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ['utf-16be', 2];
  let [even, odd] = [0, 0];
  for (const [index, byte] of bytes.subarray(0, 4096).entries())
    if (byte === 0 && index % 2 === 0) even++;
    else if (byte === 0) odd++;
  if (odd > 8 * (even + 1)) return ['utf-16le', 0];
  return even > 8 * (odd + 1) ? ['utf-16be', 0] : null;
}

const fatalUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

/** A character of UTF-8 in several bytes, or a single byte that is none, of a latin1 string. */
const CHARACTER =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

function decodeUtf8(bytes: Buffer): DecodedText & { readonly characters: number } {
  if (isUtf8(bytes)) return { encodage: 'utf-8', utf8: bytes, strays: 0, characters: 0 };
  let [characters, strays] = [0, 0];
  // No character begins before its end and goes on behind it.
  const endOf = (end: number) => {
    let safe = end;
    while (safe < bytes.length && (bytes[safe] ?? 0) >= 0x80) safe++;
    return safe;
  };
  const pieces = Array.from(piecesOf(bytes, endOf), (piece) =>
    piece.toString('latin1').replace(CHARACTER, (match) => {
      const character = Buffer.from(match, 'latin1');
      if (match.length > 1) {
        characters++;
        return character.toString('utf8');
      }
      strays++;
      return windows1252.decode(character);
    }),
  );
  const utf8 = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
  return { encodage: 'utf-8', utf8, strays, characters };
}

const strayBytes = (count: number): Raison[] =>
  count === 0 ? [] : [raison('lettresMalEcrites', { count })];

/** What « é » and its like become when UTF-8 was read as Windows-1252 and written as UTF-8 again. */
const DOUBLE = /[ÂÃÅÆâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/** The bytes 0x80 to 0x9f of Windows-1252 by their characters. */
const HIGH_CONTROLS = new Map(
  Array.from({ length: 32 }, (_, i) => [windows1252.decode(Buffer.of(0x80 + i)), 0x80 + i]),
);

/** A text whose double encoding is taken away; itself where it has none, or would not be UTF-8. */
export function repairDoubleEncoding(text: string): string {
  if (!DOUBLE.test(text)) return text;
  const bytes: number[] = [];
  for (const character of text) {
    const byte = HIGH_CONTROLS.get(character) ?? character.codePointAt(0) ?? 0;
    if (byte > 0xff) return text;
    bytes.push(byte);
  }
  try {
    return fatalUtf8.decode(Buffer.from(bytes));
  } catch {
    return text;
  }
}

// Tables

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** So far below its first line a header is looked for, and within so many characters. */
const MAX_ABOVE = 10;
const MAX_TITLE_LENGTH = 5000;

/**
 * The separator that stands most often in the first line, outside of quotes, unless another one alone shows a known header
 * there or below.
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
  // Texts that hold quotes without being quoted, and rows that are short of their last columns.
  relax_quotes: true,
  relax_column_count: true,
  max_record_size: MAX_RECORD_LENGTH,
});

type TakeRow = (cells: string[]) => void;

function readRows(utf8: Buffer, separator: string, take: TakeRow): void {
  let count = 0;
  const onRecord = (cells: string[]): null => {
    if (++count > MAX_ROWS + 1) throw tooMany();
    // The parser counts no separators: a line of nothing else is as many cells.
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

/** How many rows below the header show what stands in a column. */
const SAMPLE_ROWS = 12;

function readTable(whole: Buffer, mapping: Mapping): FileContent {
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(headOf(whole)) ?? [];
  const utf8 = whole.subarray(Buffer.byteLength(separatorLine));
  const head = headOf(utf8);
  const separator = named ?? findSeparator(head);
  const [first = ''] = head.split(/[\r\n]/, 1);
  const isOfProgram = recogniseTable(plainCells(first, separator)) !== undefined;
  if (mapping.given === null && !isOfProgram && isIsbnList(head)) return readIsbnList(utf8);
  const table = new TableContent(separator, mapping, separatorLine === '' ? 0 : 1);
  if (separator === '\t') readTabs(utf8, table.take);
  else readRows(utf8, separator, table.take);
  return table.end();
}

/** The rows of a table one by one: the first tell how all are read. */
class TableContent {
  readonly #separator: string;
  readonly #mapping: Mapping;
  /** How many lines stand above all that is taken. */
  readonly #before: number;
  readonly #records = new PackedList<FileRecord>();
  readonly #columns = new WholeColumns();
  #first: string[][] = [];
  #count = 0;
  #repaired = 0;
  #read: (ReturnType<typeof readHeaders> & { readonly reader: TableReader }) | null = null;

  constructor(separator: string, mapping: Mapping, before: number) {
    this.#separator = separator;
    this.#mapping = mapping;
    this.#before = before;
  }

  readonly take = (cells: string[]): void => {
    if (this.#read !== null) {
      this.#add(cells, this.#read.reader);
      return;
    }
    this.#first.push(cells);
    if (this.#first.length > MAX_ABOVE + SAMPLE_ROWS) this.#begin();
  };

  end(): FileContent {
    const { reader, format, ...read } = this.#read ?? this.#begin();
    const [columns, repaired] = [this.#columns, this.#repaired];
    const records = format.isExact ? this.#records : mapped(this.#records, readBy(columns));
    return {
      format: format.name,
      headers: reader.headers,
      ...read,
      records: format.readsNoms ? withNoms(records) : records,
      monthFirst: isMonthFirst(reader.dates),
      perdus: reader.perdus,
      avertissements: repaired > 0 ? [raison('accentsRepares', { count: repaired })] : [],
    };
  }

  #begin() {
    const rows = this.#first;
    this.#first = [];
    const above = linesAbove(rows);
    const [header = [], ...others] = rows.slice(above);
    const headers = header.map((cell) => cell.trim());
    if (headers.length > MAX_COLUMNS) throw invalid(raison('colonnesDeTrop'));
    const said = readHeaders(headers, others.slice(0, SAMPLE_ROWS), this.#mapping);
    const read = { ...said, reader: new TableReader(said.format, headers) };
    this.#read = read;
    this.#count = above + 1;
    for (const cells of others) this.#add(cells, read.reader);
    return read;
  }

  #add(cells: string[], reader: TableReader): void {
    const ligne = ++this.#count + this.#before;
    if (cells.every((cell) => cell.trim() === '')) return;
    const repairedCells = cells.map(repairDoubleEncoding);
    if (repairedCells.some((cell, at) => cell !== cells[at])) this.#repaired++;
    const { row, shifted } = putRight(repairedCells, this.#separator, reader);
    const raw = reader.read(row);
    const avertissements = [...(shifted === null ? [] : [shifted]), ...(raw.avertissements ?? [])];
    this.#columns.add(raw);
    this.#records.push({ ligne, raw: { ...raw, avertissements }, cells });
  }
}

const readBy =
  (columns: WholeColumns) =>
  ({ raw, ...record }: FileRecord): FileRecord => ({ ...record, raw: columns.read(raw) });

/** How a table is read: by its program, else by a mapping, with the values by which its person may correct it. */
function readHeaders(
  headers: readonly string[],
  samples: readonly (readonly string[])[],
  mapping: Mapping,
): Pick<FileContent, 'colonnes' | 'exemples'> & { readonly format: TableFormat } {
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

/** How many lines stand above the header: none, unless a later one has known headers and the first has not. */
function linesAbove(rows: readonly (readonly string[])[]): number {
  const head = rows.slice(0, MAX_ABOVE).map((row) => row.slice(0, MAX_COLUMNS));
  const { titre, isbn } = guessColonnes(head[0] ?? []);
  const at = head.findIndex(isKnownHeader);
  return at > 0 && titre === undefined && isbn === undefined ? at : 0;
}

/**
 * A row that is one cell and, as a line of the table, has the header's number of cells, as that line; one of more cells
 * than the header as `TableReader.mended` puts it right, else with what is to be said of it.
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

/** The cells of a line whose quotes are not doubled as they should be: each ends at the one before a separator. */
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

/** So many lines are looked at for the end of a quoted text, and so many characters in all. */
const MAX_QUOTED_LINES = 100;
const MAX_QUOTED_LENGTH = 20_000_000;

/**
 * The rows of a table of tabs, header included. Most programs quote nothing in it: a quote is a character there, unless
 * only quoting gives the header's number of cells, or the header is quoted itself. Throws `FICHIER_INVALIDE`.
 */
function readTabs(utf8: Buffer, take: TakeRow): void {
  const lines = utf8.toString().split(/\r\n|\n|\r/);
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

/** A cell that is quoted beyond doubt, as it holds quotes that are doubled and no other, without them. */
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

/** The records of a table with their authors one by one and in reading order, after all of them have been looked at. */
function withNoms(records: Iterable<FileRecord>): Iterable<FileRecord> {
  const read = nomReader(nomsOf(records));
  return mapped(records, ({ raw, ...record }) => {
    const { noms, avertissements } = read(raw.auteurs);
    const said = [...(raw.avertissements ?? []), ...avertissements];
    return { ...record, raw: { ...raw, auteurs: noms, avertissements: said } };
  });
}

function* nomsOf(records: Iterable<FileRecord>): Generator<string> {
  for (const { raw } of records) yield* raw.auteurs;
}

// Lists of codes

/** A hundred thousand codes with their hyphens and separators, in characters. */
const MAX_LINE_LENGTH = 2_000_000;

/** Lines that are looked at to know a list of ISBNs. */
const SAMPLE_LINES = 200;

function isIsbnList(text: string): boolean {
  const lines = text.slice(0, MAX_HEAD_LENGTH).split(/\r\n?|\n/, SAMPLE_LINES);
  const items = lines.filter((line) => !isHeader(line) && codesOf(line).next().done !== true);
  const codes = items.filter(hasOnlyCodes);
  return codes.length > 0 && codes.length * 2 >= items.length;
}

const isHeader = (line: string): boolean =>
  /^(?:isbn|ean|isbn ?1[03]|code)$/.test(normaliser(line));

/** Ends with the first one that is no code. */
function hasOnlyCodes(line: string): boolean {
  for (const code of codesOf(line)) if (!/^\d{9,13}X?$/.test(bareCode(code))) return false;
  return true;
}

/**
 * The codes of one line, one by one, as a line may be the whole file: apart by commas, semicolons or
 * tabs, or by blanks where each is whole. A row of empty cells, as spreadsheets write below a table, has none.
 */
function* codesOf(line: string): Generator<string> {
  for (const [found] of line.matchAll(/[^,;\t|]+/g)) {
    const part = withoutEdges(found);
    const words = part.slice(0, MAX_CELL_LENGTHS.name).split(/\s+/);
    if (words.every((word) => bareCode(word).length >= 10)) yield* words;
    else if (part !== '') yield part.slice(0, MAX_CELL_LENGTHS.name);
  }
}

/** A code without the blanks, quotes and brackets around it. */
function withoutEdges(text: string): string {
  const [start, end] = [text.search(/[^\s="'[]/), text.length];
  let last = end;
  while (last > start && /[\s"'\]]/.test(text.charAt(last - 1))) last--;
  return start === -1 ? '' : text.slice(start, last);
}

/** A first line may be the header. */
function readIsbnList(utf8: Buffer): FileContent {
  const records = new PackedList<FileRecord>();
  let ligne = 0;
  for (const line of utf8.toString().split(/\r\n?|\n/)) {
    if (line.length > MAX_LINE_LENGTH) throw invalid(raison('ligneDeListeTropLongue'));
    const before = ligne;
    if (ligne > 0 || !isHeader(line))
      for (const code of codesOf(line))
        records.push({
          ligne: ++ligne,
          cells: [code],
          raw: { titre: '', auteurs: [], isbns: [code] },
        });
    if (ligne === before) ligne++;
    if (records.length > MAX_ROWS) throw tooMany();
  }
  const nothing = { monthFirst: false, perdus: [], avertissements: [] };
  return { format: 'isbn', headers: ['isbn'], colonnes: null, records, ...nothing };
}

// JSON

function readJson(utf8: Buffer): FileContent {
  const value = parseForeign(utf8.toString());
  if (value === undefined) throw invalid(raison('jsonCoupe'));
  const values = typeof value === 'object' && value !== null ? Object.values(value) : [];
  if (values.length > MAX_ROWS) throw tooMany();
  if (isCsl(values[0])) return contentOfList(readCsl(values));
  const table = libraryThingTable(values);
  if (table === null) throw invalid(raison('jsonInconnu'));
  const { headers, rows } = table;
  return contentOf(withCommonColumns(libraryThing, headers), headers, rows);
}
