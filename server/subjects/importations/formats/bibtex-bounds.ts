import { invalid, raison } from '#server/plumbing/common/raisons';

// Limits that protect the BibTeX library: some of its steps are quadratic, and it expands
// abbreviations everywhere (docs/rules.md § 35).

/**
 * More than the longest entry of a book with its summary: in characters, and in signs that make the library
 * backtrack.
 */
const MAX_ENTRY = { length: 100_000, at: 500, and: 2_000, fields: 2_000 };

/** The expanded length of abbreviations (`@string`): of one, and of all beyond the length of the file. */
const MAX_WRITTEN_OUT = { one: 10_000, all: 10_000_000 };

const ENTRY = /^[ \t]*@\w+[ \t]*[{(]/gm;
export const ABBREVIATION = /^[ \t]*@string[ \t]*[{(]\s*([\w:.-]+)/i;
const WORD = /[\w:.-]+/g;

/** The entries within the limits, and the beginnings of the others. Throws `FICHIER_INVALIDE`. */
export function boundedEntries(text: string): {
  readonly entries: string[];
  readonly left: string[];
} {
  const starts = Array.from(text.matchAll(ENTRY), ({ index }) => index);
  const pieces = [0, ...starts].map((start, at) => text.slice(start, starts[at] ?? text.length));
  requireShortAbbreviations(pieces, text.length);
  const entries: string[] = [];
  const left: string[] = [];
  for (const piece of pieces) (isBounded(piece) ? entries : left).push(piece);
  return { entries, left };
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

/** Counts every word that equals an abbreviation as expanded, even in braces. */
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
