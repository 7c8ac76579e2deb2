import { bareCode } from '#shared/codes';
import { normaliser } from '#shared/text';
import { invalid } from './invalid.ts';

/** A hundred thousand codes with their hyphens and separators, in characters. */
const MAX_LINE_LENGTH = 2_000_000;

interface Item {
  readonly ligne: number;
  readonly code: string;
}

/** Lines that are looked at to know a list of ISBNs. */
const SAMPLE_LINES = 200;

/** Whether a text is a plain list of ISBNs: nothing but codes in at least half of its lines. */
export function isIsbnList(head: string): boolean {
  const lines = head.split(/\r\n?|\n/, SAMPLE_LINES);
  const items = lines.filter((line) => !isHeader(line) && !isEmpty(line));
  const codes = items.filter(hasOnlyCodes);
  return codes.length > 0 && codes.length * 2 >= items.length;
}

const isHeader = (line: string): boolean =>
  /^(?:isbn|ean|isbn ?1[03]|code)$/.test(normaliser(line));

/** A row of empty cells, as spreadsheets write below a table, is no code. */
const isEmpty = (line: string): boolean => codesOf(line).next().done === true;

/** Ends with the first one that is no code. */
function hasOnlyCodes(line: string): boolean {
  for (const code of codesOf(line)) if (!isCode(code)) return false;
  return true;
}

const isCode = (text: string): boolean => /^\d{9,13}X?$/.test(bareCode(text));

/**
 * The codes of one line, one by one, as a line may be the whole file: apart by commas, semicolons or
 * tabs, or by blanks where each is whole.
 */
function* codesOf(line: string): Generator<string> {
  for (const [found] of line.matchAll(/[^,;\t|]+/g)) {
    const part = found.replace(/^[\s="'[]+|[\s"'\]]+$/g, '');
    const words = part.split(/\s+/);
    if (words.every((word) => bareCode(word).length >= 10)) yield* words;
    else if (part !== '') yield part;
  }
}

/**
 * The codes of a list with the number of each, by lines; a first line may be its header. Throws
 * `FICHIER_INVALIDE` for a line that is longer than all codes that a list may have.
 */
export async function* isbnItems(pieces: AsyncIterable<string>): AsyncGenerator<Item> {
  let ligne = 0;
  let rest = '';
  const take = function* (line: string): Generator<Item> {
    const before = ligne;
    if (ligne > 0 || !isHeader(line))
      for (const code of codesOf(line)) yield { ligne: ++ligne, code };
    if (ligne === before) ligne++;
  };
  for await (const piece of pieces) {
    const text = rest + piece;
    const end = text.endsWith('\r') ? text.length - 1 : text.length; // the rest of a line's end may follow
    const whole = text.slice(0, end).replaceAll('\r\n', '\n').replaceAll('\r', '\n');
    const lines = whole.split('\n');
    rest = (lines.pop() ?? '') + text.slice(end);
    if (rest.length > MAX_LINE_LENGTH) throw invalid('Une ligne de cette liste est trop longue.');
    for (const line of lines) {
      if (line === '') ligne++;
      // Through « yield* » of an asynchronous generator each line would take a promise.
      else for (const item of take(line)) yield item;
    }
  }
  if (rest !== '') yield* take(rest);
}
