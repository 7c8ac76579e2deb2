import { byTitre, lettersOf, type Entry } from './catalogue-entries.ts';
import type { LivreDocument } from './livres.ts';
import { normaliser } from './text.ts';

export interface NearMatch {
  readonly livre: LivreDocument;
  /** In letters; 0 where only an apostrophe or a blank is missing: « letranger ». */
  readonly distance: number;
}

/** More near matches are a list of guesses. */
const MAX_MATCHES = 20;

interface Word {
  readonly text: string;
  readonly letters: number;
  readonly entries: Entry[];
}

/** Words that lose their last letter before a vowel; people leave the apostrophe out. */
const ELIDED = new Set('c d j l m n s t qu jusqu lorsqu puisqu quoiqu aujourd presqu'.split(' '));

/**
 * The books that have a word near each word of the query: one letter off from four letters on, two from six letters on,
 * one more where that finds nothing, and elided words joined to the next (« letranger »). By letters off, then by
 * title, without those more than one letter worse than the best (docs/rules.md § 6).
 *
 * @param entries of the catalogue; their words are read once for as long as it stays the same list
 */
export function findNear(entries: readonly Entry[], recherche: string): NearMatch[] {
  const words = [...new Set(normaliser(recherche).split(' '))].filter((word) => word !== '');
  const lexicon = lexiconOf(entries);
  const strict = nearAll(lexicon, words, 0);
  const canBeLooser = words.some((word) => toleranceOf(word) === 1);
  const found = strict.size > 0 || !canBeLooser ? strict : nearAll(lexicon, words, 1);
  let best = Infinity;
  for (const distance of found.values()) best = Math.min(best, distance);
  return [...found]
    .filter(([, distance]) => distance <= (best === 0 ? 0 : best + 1))
    .sort(([a, x], [b, y]) => x - y || byTitre(a, b))
    .slice(0, MAX_MATCHES)
    .map(([{ livre }, distance]) => ({ livre, distance }));
}

const lexicons = new WeakMap<readonly Entry[], readonly Word[]>();

/** The distinct words of all books, few enough to compare each; 30 ms for ten thousand books. */
function lexiconOf(entries: readonly Entry[]): readonly Word[] {
  const known = lexicons.get(entries);
  if (known !== undefined) return known;
  const words = new Map<string, Word>();
  for (const entry of entries) {
    for (const text of wordsOf(entry.text)) {
      const word = words.get(text) ?? { text, letters: lettersOf(text), entries: [] };
      if (word.entries.length === 0) words.set(text, word);
      if (word.entries.at(-1) !== entry) word.entries.push(entry);
    }
  }
  const lexicon = [...words.values()];
  lexicons.set(entries, lexicon);
  return lexicon;
}

function nearAll(
  lexicon: readonly Word[],
  words: readonly string[],
  more: number,
): ReadonlyMap<Entry, number> {
  let found: ReadonlyMap<Entry, number> | null = null;
  for (const word of words) {
    const tolerance = toleranceOf(word);
    const near = distancesOf(lexicon, word, tolerance === 0 ? 0 : Math.min(tolerance + more, 2));
    found = found === null ? near : addUp(found, near);
    if (found.size === 0) break;
  }
  return found ?? new Map<Entry, number>();
}

/** The entries with a word near the query, and in how many letters the nearest differs. */
function distancesOf(lexicon: readonly Word[], query: string, max: number): Map<Entry, number> {
  const letters = lettersOf(query);
  const found = new Map<Entry, number>();
  for (const word of lexicon) {
    const distance = distanceOf(query, letters, word, max);
    if (distance > max) continue;
    for (const entry of word.entries)
      found.set(entry, Math.min(distance, found.get(entry) ?? distance));
  }
  return found;
}

const toleranceOf = (word: string): number => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2);

function distanceOf(query: string, letters: number, word: Word, max: number): number {
  if (word.text.includes(query)) return 0;
  if (max === 0 || !mayBeNear(letters, word.letters, max)) return max + 1;
  return editDistance(query, word.text, max);
}

function addUp(
  found: ReadonlyMap<Entry, number>,
  near: ReadonlyMap<Entry, number>,
): Map<Entry, number> {
  const both = new Map<Entry, number>();
  for (const [entry, distance] of found) {
    const other = near.get(entry);
    if (other !== undefined) both.set(entry, distance + other);
  }
  return both;
}

function wordsOf(text: string): string[] {
  const words = text.split(/[ \n]+/).filter((word) => word !== '');
  return [...words, ...joinedElisions(words)];
}

/** « l etranger » gives « letranger ». */
export const joinedElisions = (words: readonly string[]): string[] =>
  words.flatMap((word, i) => {
    const next = words[i + 1];
    return next !== undefined && ELIDED.has(word) ? [word + next] : [];
  });

/**
 * How many letters have to be inserted, left out, changed or swapped with their neighbour to make one word of the
 * other; `max + 1` as soon as it is more than `max`. Takes at most `64 × max` steps.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const value = Math.min(
        (last[j] ?? max) + 1,
        (row[j - 1] ?? max) + 1,
        (last[j - 1] ?? max) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap(a, i, b, j) ? (beforeLast[j - 2] ?? max) + 1 : max + 1,
      );
      row.push(value);
      if (value < best) best = value;
    }
    if (best > max) return max + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length] ?? max + 1, max + 1);
}

const isSwap = (a: string, i: number, b: string, j: number): boolean =>
  i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];

/** Whether two words may be `max` apart, by the letters that only one of them has. */
const mayBeNear = (a: number, b: number, max: number): boolean =>
  countBits(a & ~b) <= max && countBits(b & ~a) <= max;

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
