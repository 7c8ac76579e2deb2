import { byTitre, type Entry } from './catalogue-entries.ts';
import { searchedDetails, searchedLength, searchedParts, type Detail } from './details.ts';
import { positionIn, SortedList } from './sorted-list.ts';
import { searchForm } from './text.ts';

/**
 * Finds parts of words in many books without scanning every text. A query word has no blank: a text contains it if
 * one of the text's words does. The few distinct words of a library are joined into one text, searched, and mapped to
 * their books. Entries changed since the index was built are scanned separately. For a small library only the words
 * of details are indexed, which are ten times as many as the others.
 */
export class WordIndex {
  /** The entries when the index was built, in title order; a position is an index in this list. */
  readonly #entries: readonly Entry[];
  /** The positions of entries still in the catalogue. */
  readonly #alive: Bits;
  readonly #recent = new SortedList(byTitre);
  /** The index, or the reader that is still building it. */
  #words: Words | WordReader;

  readonly #textOf: TextOf;

  /**
   * Takes 1 to 3 µs an entry, mostly at the first search, and 50 µs for eight details. `entries` are in title order,
   * and copied.
   */
  constructor(entries: readonly Entry[], textOf: TextOf = wholeText) {
    this.#entries = entries.slice();
    this.#alive = Bits.all(entries.length);
    this.#textOf = textOf;
    this.#words = new WordReader(this.#entries, textOf);
  }

  /** Indexes some entries, which the first search would do otherwise; returns whether any were left. */
  readSome(): boolean {
    return this.#words instanceof WordReader && this.#words.read(PORTION);
  }

  /** Whether so many entries have changed that rebuilding is cheaper than scanning them. */
  get isStale(): boolean {
    return this.#recent.size > this.#entries.length / 50;
  }

  /** Replaces an entry of the catalogue; either one may be missing. */
  replace(previous: Entry | undefined, next: Entry | undefined): void {
    if (next !== undefined) this.#recent.add(next);
    if (previous === undefined) return;
    const position = positionIn(this.#entries, previous, byTitre);
    if (this.#entries[position] === previous) this.#alive.delete(position);
    else this.#recent.remove(previous);
  }

  /** In title order. */
  find(words: readonly string[]): readonly Entry[] {
    const left = this.#alive.copy();
    for (const word of words) left.intersect(this.#positionsContaining(word));
    const found: Entry[] = [];
    left.forEach((position) => {
      const entry = this.#entries[position];
      if (entry !== undefined) found.push(entry);
    });
    const recent = this.#recentContaining(words);
    return recent.length === 0 ? found : [...found, ...recent].sort(byTitre);
  }

  /** The books with a word, as an array by id. */
  booksContaining(word: string): readonly boolean[] {
    const books: boolean[] = [];
    for (const { livre } of this.find([word])) books[livre.id] = true;
    return books;
  }

  #recentContaining(words: readonly string[]): readonly Entry[] {
    return this.#recent.items.filter((entry) => {
      const { text, details } = this.#textOf(entry);
      const own = details.length === 0 ? '' : searchedOnce(details);
      return words.every((word) => text.includes(word) || own.includes(word));
    });
  }

  #positionsContaining(part: string): Bits {
    if (this.#words instanceof WordReader) this.#words = this.#words.toWords();
    const { joined, starts, bounds, positions } = this.#words;
    const found = Bits.none(this.#entries.length);
    let word = 0;
    let offset = joined.indexOf(part);
    while (offset !== -1) {
      word = wordAt(starts, offset, word);
      const end = bounds[word + 1] ?? 0;
      for (let i = bounds[word] ?? 0; i < end; i++) found.add(positions[i] ?? 0);
      offset = joined.indexOf(part, starts[word + 1]);
    }
    return found;
  }
}

/** The indexed texts of an entry. */
type TextOf = (entry: Entry) => { readonly text: string; readonly details: readonly Detail[] };

const wholeText: TextOf = ({ text, livre }) => ({ text, details: livre.details });

/** For an index of details only, beside scanned entries. */
export const detailsAlone: TextOf = ({ livre }) => ({ text: '', details: livre.details });

const searched = new WeakMap<readonly Detail[], string>();

function searchedOnce(details: readonly Detail[]): string {
  let text = searched.get(details);
  if (text === undefined) searched.set(details, (text = searchedDetails(details)));
  return text;
}

/** The index of the word at an offset of the joined words, searched from `word` on. */
function wordAt(starts: Uint32Array, offset: number, word: number): number {
  let end = starts.length - 1;
  while (word < end - 1) {
    const middle = (word + end) >>> 1;
    if ((starts[middle] ?? 0) <= offset) word = middle;
    else end = middle;
  }
  return word;
}

interface Words {
  /** The distinct words, one a line; word `i` starts at `starts[i]`. */
  readonly joined: string;
  readonly starts: Uint32Array;
  /** The positions of word `i` are `positions` from `bounds[i]` up to `bounds[i + 1]`. */
  readonly bounds: Uint32Array;
  readonly positions: Uint32Array;
}

/** How many characters are indexed at a time, plus at most one book's details. */
const PORTION = 100_000;

/** Estimates the distinct words of a book's details; the buffer grows beyond it. */
const CHARACTERS_A_WORD = 10;

/** Reads into arrays of known size: growing lists would cost a large server 100 MB. */
class WordReader {
  readonly #entries: readonly Entry[];
  readonly #textOf: TextOf;
  /** The word ids of all entries, in sequence. */
  #wordIds: Uint32Array;
  /** The end of each entry in `#wordIds`. */
  readonly #ends: Uint32Array;
  /** The distinct words with their ids. */
  readonly #lexicon = new Map<string, number>();
  /** Caches the word ids of each run of letters and signs: normalising each book's details takes five times as long. */
  readonly #runs = new Map<string, readonly number[]>();
  /** For each word the last entry that has it, so that entries are recorded once. */
  readonly #lastOf: number[] = [];
  /** The numbers of processed entries and words. */
  #position = 0;
  #read = 0;

  constructor(entries: readonly Entry[], textOf: TextOf) {
    const room = entries.reduce((sum, entry) => {
      const { text, details } = textOf(entry);
      return sum + ((text.length + 1) >>> 1) + searchedLength(details) / CHARACTERS_A_WORD;
    }, 0);
    this.#entries = entries;
    this.#textOf = textOf;
    this.#wordIds = new Uint32Array(Math.ceil(room));
    this.#ends = new Uint32Array(entries.length);
  }

  /** Returns whether any were left. */
  read(most: number): boolean {
    const isOver = this.#position >= this.#entries.length;
    for (let left = most; left > 0 && this.#position < this.#entries.length;) {
      const entry = this.#entries[this.#position];
      const { text, details } = entry === undefined ? NOTHING : this.#textOf(entry);
      left -= 1 + text.length + searchedLength(details);
      for (const word of text.split(/[ \n]+/)) if (word !== '') this.#note(this.#idOf(word));
      for (const part of searchedParts(details))
        for (const run of part.split(/\s+/)) for (const id of this.#idsOf(run)) this.#note(id);
      this.#ends[this.#position++] = this.#read;
    }
    return !isOver;
  }

  #note(id: number): void {
    if (this.#lastOf[id] === this.#position) return;
    this.#lastOf[id] = this.#position;
    if (this.#read === this.#wordIds.length) {
      const larger = new Uint32Array(2 * this.#read + PORTION);
      larger.set(this.#wordIds);
      this.#wordIds = larger;
    }
    this.#wordIds[this.#read++] = id;
  }

  #idOf(word: string): number {
    let id = this.#lexicon.get(word);
    if (id === undefined) this.#lexicon.set(word, (id = this.#lexicon.size));
    return id;
  }

  #idsOf(run: string): readonly number[] {
    let ids = this.#runs.get(run);
    if (ids === undefined) {
      const words = searchForm(run).split(' ');
      ids = words.flatMap((word) => (word === '' ? [] : this.#idOf(word)));
      this.#runs.set(run, ids);
    }
    return ids;
  }

  toWords(): Words {
    this.read(Infinity);
    const lexicon = [...this.#lexicon.keys()];
    const wordIds = this.#wordIds.subarray(0, this.#read);
    const bounds = cumulate(countIds(wordIds, lexicon.length));
    return {
      joined: lexicon.join('\n'),
      starts: cumulate(lexicon.map((word) => word.length + 1)),
      bounds,
      positions: positionsByWord(wordIds, this.#ends, bounds),
    };
  }
}

const NOTHING = { text: '', details: [] } as const;

function countIds(ids: Uint32Array, bound: number): Uint32Array {
  const counts = new Uint32Array(bound);
  for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
  return counts;
}

/** The start of each of several consecutive runs, by their lengths, and the end of the last. */
function cumulate(lengths: ArrayLike<number>): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let i = 0; i < lengths.length; i++) starts[i + 1] = (starts[i] ?? 0) + (lengths[i] ?? 0);
  return starts;
}

/** The entries of each word in ascending order, in sequence. */
function positionsByWord(
  wordIds: Uint32Array,
  ends: Uint32Array,
  bounds: Uint32Array,
): Uint32Array {
  const positions = new Uint32Array(wordIds.length);
  const next = bounds.slice();
  let read = 0;
  for (const [position, end] of ends.entries()) {
    for (; read < end; read++) {
      const word = wordIds[read] ?? 0;
      const slot = next[word] ?? 0;
      positions[slot] = position;
      next[word] = slot + 1;
    }
  }
  return positions;
}

/** A set of integers below a bound, one bit each. */
class Bits {
  readonly #words: Uint32Array;

  private constructor(words: Uint32Array) {
    this.#words = words;
  }

  static none(bound: number): Bits {
    return new Bits(new Uint32Array(Math.ceil(bound / 32)));
  }

  static all(bound: number): Bits {
    const bits = Bits.none(bound);
    for (let n = 0; n < bound; n++) bits.add(n);
    return bits;
  }

  copy(): Bits {
    return new Bits(this.#words.slice());
  }

  add(n: number): void {
    const i = n >>> 5;
    this.#words[i] = (this.#words[i] ?? 0) | (1 << (n & 31));
  }

  delete(n: number): void {
    const i = n >>> 5;
    this.#words[i] = (this.#words[i] ?? 0) & ~(1 << (n & 31));
  }

  intersect(other: Bits): void {
    for (let i = 0; i < this.#words.length; i++)
      this.#words[i] = (this.#words[i] ?? 0) & (other.#words[i] ?? 0);
  }

  /** In ascending order. */
  forEach(visit: (n: number) => void): void {
    for (let i = 0; i < this.#words.length; i++) {
      for (let word = this.#words[i] ?? 0; word !== 0; word &= word - 1)
        visit(32 * i + 31 - Math.clz32(word & -word));
    }
  }
}
