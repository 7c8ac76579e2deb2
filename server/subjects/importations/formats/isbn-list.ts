import { bareCode } from '#shared/codes';
import { normaliser } from '#shared/text';
import { linesOf } from '#server/plumbing/common/lines';
import { invalid, raison } from '#server/plumbing/common/raisons';
import { MAX_CELL_LENGTHS } from '../columns.ts';
import { type FileContent, RecordList, MAX_ROWS, tooMany } from '../record.ts';

// Lists of codes, a line or a file of them (docs/rules.md § 35)

/** A hundred thousand codes with their hyphens and separators, in characters. */
const MAX_LINE_LENGTH = 2_000_000;

/** Lines that are looked at to know a list of ISBNs. */
const SAMPLE_LINES = 200;

export function isIsbnList(text: string): boolean {
  const lines = text.split(/\r\n?|\n/, SAMPLE_LINES);
  const items = lines.filter((line) => !isHeader(line) && codesOf(line).next().done !== true);
  const codes = items.filter(hasOnlyCodes);
  return codes.length > 0 && codes.length * 2 >= items.length;
}

const isHeader = (line: string): boolean =>
  /^(?:isbn|ean|isbn ?1[03]|code)$/.test(normaliser(line));

/** Stops at the first text that is no code. */
function hasOnlyCodes(line: string): boolean {
  for (const code of codesOf(line)) if (!/^\d{9,13}X?$/.test(bareCode(code))) return false;
  return true;
}

/**
 * Yields the codes of one line, which may be the whole file: separated by commas, semicolons or tabs, or by blanks if
 * each is complete. Rows of empty cells, as spreadsheets append them, have none.
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
export function readIsbnList(utf8: Buffer): FileContent {
  const records = new RecordList({ isExact: true });
  let ligne = 0;
  for (const line of linesOf(utf8.toString())) {
    if (line.length > MAX_LINE_LENGTH) throw invalid(raison('ligneDeListeTropLongue'));
    const before = ligne;
    if (ligne > 0 || !isHeader(line))
      for (const code of codesOf(line))
        records.add({
          ligne: ++ligne,
          cells: [code],
          record: { titre: '', auteurs: [], isbns: [code] },
        });
    if (ligne === before) ligne++;
    if (records.length > MAX_ROWS) throw tooMany();
  }
  const nothing = { monthFirst: false, perdus: [], avertissements: [] };
  return {
    format: 'isbn',
    programme: null,
    headers: ['isbn'],
    colonnes: null,
    records: records.read(),
    ...nothing,
  };
}
