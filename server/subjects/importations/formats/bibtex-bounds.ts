import { invalid, raison } from '#server/plumbing/common/raisons';

// What the library is never given: it takes the square of some lengths, and writes abbreviations out wherever they stand
// (docs/rules.md § 35).

/** More than the longest entry of a book, its summary included; in characters, and in signs that the library goes back at. */
const MAX_ENTRY = { length: 100_000, at: 500, and: 2_000, fields: 2_000 };

/** Abbreviations (`@string`) written out: one, and beyond the length of the file all uses of all. */
const MAX_WRITTEN_OUT = { one: 10_000, all: 10_000_000 };

const ENTRY = /^[ \t]*@\w+[ \t]*[{(]/gm;
const ABBREVIATION = /^[ \t]*@string[ \t]*[{(]\s*([\w:.-]+)/i;
const WORD = /[\w:.-]+/g;

/** The entries that may be read, and the beginnings of those that may not. Throws `FICHIER_INVALIDE`. */
export function boundedEntries(text: string): { readonly source: string; readonly left: string[] } {
  const starts = Array.from(text.matchAll(ENTRY), ({ index }) => index);
  const pieces = [0, ...starts].map((start, at) => text.slice(start, starts[at] ?? text.length));
  requireShortAbbreviations(pieces, text.length);
  const read: string[] = [];
  const left: string[] = [];
  for (const piece of pieces) (isBounded(piece) ? read : left).push(piece);
  return { source: read.join(''), left };
}

const isBounded = (entry: string): boolean =>
  entry.length <= MAX_ENTRY.length &&
  count(entry, '@') <= MAX_ENTRY.at &&
  count(entry, '=') <= MAX_ENTRY.fields &&
  count(entry, ' and ') <= MAX_ENTRY.and;

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found++;
  return found;
}

/** Counts a word that is an abbreviation as written out wherever it stands, in braces too. */
function requireShortAbbreviations(pieces: readonly string[], length: number): void {
  const lengths = new Map<string, number>();
  let all = 0;
  for (const piece of pieces) {
    const [head = '', name] = ABBREVIATION.exec(piece) ?? [];
    if (name === undefined && lengths.size === 0) continue;
    let written = name === undefined ? 0 : piece.length;
    for (const [word] of piece.slice(head.length).matchAll(WORD))
      written += lengths.get(word.toLowerCase()) ?? 0;
    all += written;
    if (name !== undefined) lengths.set(name.toLowerCase(), written);
    if ((name !== undefined && written > MAX_WRITTEN_OUT.one) || all > MAX_WRITTEN_OUT.all + length)
      throw invalid(raison('abreviationsTropLongues'));
  }
}
