import { bareCode } from '#shared/codes';
import { normaliser } from '#shared/text';

/** Lines that are looked at to know a list of ISBNs. */
const SAMPLE_LINES = 200;

/** Whether a text is a plain list of ISBNs: nothing but codes in at least half of its lines. */
export function isIsbnList(head: string): boolean {
  const lines = head.split(/\r\n?|\n/, SAMPLE_LINES).filter((line) => line.trim() !== '');
  const items = lines.filter((line) => !isHeader(line));
  const codes = items.filter((line) => codesOf(line).every(isCode));
  return codes.length > 0 && codes.length * 2 >= items.length;
}

const isHeader = (line: string): boolean =>
  /^(?:isbn|ean|isbn ?1[03]|code)$/.test(normaliser(line));

const isCode = (text: string): boolean =>
  /^[\d\sXx.–-]+$/.test(text) && /^\d{9,13}X?$/.test(bareCode(text));

/** The codes of one line: apart by commas, semicolons or tabs, or by blanks where each is whole. */
function codesOf(line: string): string[] {
  const parts = line
    .split(/[,;\t|]/)
    .map((part) => part.replace(/^[\s="'[]+|[\s"'\]]+$/g, ''))
    .filter((part) => part !== '');
  return parts.flatMap((part) => {
    const words = part.split(/\s+/);
    return words.every((word) => bareCode(word).length >= 10) ? words : [part];
  });
}

/** The codes of a list with the number of each, by lines; a first line may be its header. */
export function* isbnItems(pieces: Iterable<string>): Generator<{ ligne: number; code: string }> {
  let ligne = 0;
  let rest = '';
  const take = function* (line: string): Generator<{ ligne: number; code: string }> {
    const codes = ligne === 0 && isHeader(line) ? [] : codesOf(line);
    if (codes.length === 0) ligne++;
    for (const code of codes) yield { ligne: ++ligne, code };
  };
  for (const piece of pieces) {
    const lines = (rest + piece).split(/\r\n?|\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) yield* take(line);
  }
  if (rest !== '') yield* take(rest);
}
