import { byTitre, type Entry } from './catalogue-entries.ts';
import type { LivreDocument } from './livres.ts';
import { searchForm } from './text.ts';

export interface NearMatch {
  readonly livre: LivreDocument;
  /** In letters; 0 if only an apostrophe or a blank is missing: « letranger ». */
  readonly distance: number;
}

/** The maximum of near matches; further ones would be guesses. */
const MAX_MATCHES = 20;

interface Word {
  readonly text: string;
  readonly bits: number;
  readonly entries: Entry[];
}

/** Words that lose their last letter before a vowel; people leave the apostrophe out. */
const ELIDED = new Set('c d j l m n s t qu jusqu lorsqu puisqu quoiqu aujourd presqu'.split(' '));

/**
 * The distinct words of all books, for queries with misspellings: one letter off from four letters on, two from six
 * letters on, one more if nothing is found, and elided words joined (« letranger »). The words are few, so that each
 * is compared: about 1 ms per query word for ten thousand books (docs/rules.md § 6).
 */
export class NearIndex {
  readonly #words = new Map<string, Word>();
  readonly #pending: Set<Entry>;

  /** The entries are read by `prepare` or the first `find`. */
  constructor(entries: Iterable<Entry>) {
    this.#pending = new Set(entries);
  }

  /** Reads at most `count` entries, about 5 µs each; returns whether all have been read. */
  prepare(count: number): boolean {
    let left = count;
    for (const entry of this.#pending) {
      if (left-- <= 0) return false;
      this.#pending.delete(entry);
      this.#add(entry);
    }
    return true;
  }

  /** Replaces an entry of the catalogue; either one may be missing. */
  replace(previous: Entry | undefined, next: Entry | undefined): void {
    if (previous !== undefined && !this.#pending.delete(previous)) this.#remove(previous);
    if (next !== undefined) this.#pending.add(next);
  }

  /**
   * The books with a word near each word of the query, by distance, then by title, without those more than one letter
   * worse than the best. The first call reads all words: call `prepare` in idle time.
   */
  find(recherche: string): NearMatch[] {
    this.prepare(Infinity);
    const words = [...new Set(searchForm(recherche).split(' '))].filter((word) => word !== '');
    const strict = this.#nearAll(words, 0);
    const canBeLooser = words.some((word) => toleranceOf(word) === 1);
    const found = strict.size > 0 || !canBeLooser ? strict : this.#nearAll(words, 1);
    let best = Infinity;
    for (const distance of found.values()) best = Math.min(best, distance);
    return [...found]
      .filter(([, distance]) => distance <= (best === 0 ? 0 : best + 1))
      .sort(([a, x], [b, y]) => x - y || byTitre(a, b))
      .slice(0, MAX_MATCHES)
      .map(([{ livre }, distance]) => ({ livre, distance }));
  }

  #nearAll(words: readonly string[], more: number): ReadonlyMap<Entry, number> {
    let found: ReadonlyMap<Entry, number> | null = null;
    for (const word of words) {
      const tolerance = toleranceOf(word);
      const near = this.#distances(word, tolerance === 0 ? 0 : Math.min(tolerance + more, 2));
      found = found === null ? near : addUp(found, near);
      if (found.size === 0) break;
    }
    return found ?? new Map<Entry, number>();
  }

  /** The entries with a word near the query, and the smallest distance. */
  #distances(query: string, max: number): Map<Entry, number> {
    const bits = letterBits(query);
    const found = new Map<Entry, number>();
    for (const word of this.#words.values()) {
      const distance = distanceOf(query, bits, word, max);
      if (distance > max) continue;
      for (const entry of word.entries) {
        const known = found.get(entry);
        if (known === undefined || known > distance) found.set(entry, distance);
      }
    }
    return found;
  }

  #add(entry: Entry): void {
    for (const text of wordsOf(entry.text)) {
      let word = this.#words.get(text);
      if (word === undefined)
        this.#words.set(text, (word = { text, bits: letterBits(text), entries: [] }));
      if (word.entries.at(-1) !== entry) word.entries.push(entry);
    }
  }

  #remove(entry: Entry): void {
    for (const text of wordsOf(entry.text)) {
      const word = this.#words.get(text);
      const position = word?.entries.indexOf(entry) ?? -1;
      if (position === -1) continue;
      word?.entries.splice(position, 1);
      if (word?.entries.length === 0) this.#words.delete(text);
    }
  }
}

/** The index of a catalogue, created lazily and updated by the catalogue. */
export const nearIndexOf = (catalogue: {
  near: NearIndex | null;
  readonly entries: Iterable<Entry>;
}): NearIndex => (catalogue.near ??= new NearIndex(catalogue.entries));

const toleranceOf = (word: string): number => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2);

function distanceOf(query: string, bits: number, word: Word, max: number): number {
  if (word.text.includes(query)) return 0;
  if (max === 0 || !mayBeNear(bits, word.bits, max)) return max + 1;
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

/** « l etranger » becomes « letranger ». */
export const joinedElisions = (words: readonly string[]): string[] =>
  words.flatMap((word, i) => {
    const next = words[i + 1];
    return next !== undefined && ELIDED.has(word) ? [word + next] : [];
  });

/** The edit distance of two words, swapped neighbours included; `max + 1` beyond `max`. Takes at most `64 × max` steps. */
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
  a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];

/** The letters of a word as a bit set, so that words with few common letters need no comparison. */
function letterBits(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31);
  return bits;
}

/** Whether two words may be within `max`, judging by the letters that only one has. */
const mayBeNear = (a: number, b: number, max: number): boolean =>
  countBits(a & ~b) <= max && countBits(b & ~a) <= max;

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
