import { byTitre, entriesContaining, type Entry } from './catalogue-entries.ts';
import { positionIn, SortedList } from './sorted-list.ts';

/**
 * Finds parts of words in many books without scanning each book's text. A word of a query has no blank, so a text
 * contains it exactly when one of the text's words does. A library has few distinct words: they are joined and searched
 * as one text, and each points to its books. Entries changed since the index was built are kept apart and scanned.
 */
export class WordIndex {
  /** The entries when the index was built, in title order; a position is an index in this list. */
  readonly #entries: readonly Entry[];
  /** The positions of entries still in the catalogue. */
  readonly #alive: Bits;
  readonly #recent = new SortedList(byTitre);
  /** The distinct words, one a line; word `i` starts at `#starts[i]`. */
  readonly #words: string;
  readonly #starts: Uint32Array;
  /** The positions of word `i` are `#positions` from `#bounds[i]` up to `#bounds[i + 1]`. */
  readonly #bounds: Uint32Array;
  readonly #positions: Uint32Array;

  /** Takes 1 to 3 µs an entry. `entries` are in title order, and copied. */
  constructor(entries: readonly Entry[]) {
    this.#entries = entries.slice();
    this.#alive = Bits.all(entries.length);
    const { lexicon, wordIds, ends } = readWords(entries);
    this.#words = lexicon.join('\n');
    this.#starts = cumulate(lexicon.map((word) => word.length + 1));
    this.#bounds = cumulate(countIds(wordIds, lexicon.length));
    this.#positions = positionsByWord(wordIds, ends, this.#bounds);
  }

  /** Whether so many entries have changed that rebuilding is cheaper than scanning them. */
  get isStale(): boolean {
    return this.#recent.size > this.#entries.length / 50;
  }

  /** Replaces one entry of the catalogue by another; either may be missing. */
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
    const recent = entriesContaining(this.#recent.items, words);
    return recent.length === 0 ? found : [...found, ...recent].sort(byTitre);
  }

  #positionsContaining(part: string): Bits {
    const positions = Bits.none(this.#entries.length);
    let word = 0;
    let offset = this.#words.indexOf(part);
    while (offset !== -1) {
      word = this.#wordAt(offset, word);
      const end = this.#bounds[word + 1] ?? 0;
      for (let i = this.#bounds[word] ?? 0; i < end; i++) positions.add(this.#positions[i] ?? 0);
      offset = this.#words.indexOf(part, this.#starts[word + 1]);
    }
    return positions;
  }

  /** The word at an offset of the joined words, searched from `word` on. */
  #wordAt(offset: number, word: number): number {
    let end = this.#starts.length - 1;
    while (word < end - 1) {
      const middle = (word + end) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) word = middle;
      else end = middle;
    }
    return word;
  }
}

interface WordTables {
  /** The distinct words; a word's index here is its id. */
  readonly lexicon: readonly string[];
  /** The word ids of all entries, one entry after the other. */
  readonly wordIds: Uint32Array;
  /** The end of each entry in `wordIds`. */
  readonly ends: Uint32Array;
}

/** Reads into arrays of known size: growing lists would cost a large server 100 MB. */
function readWords(entries: readonly Entry[]): WordTables {
  const atMost = entries.reduce((sum, { text }) => sum + ((text.length + 1) >>> 1), 0);
  const wordIds = new Uint32Array(atMost);
  const ends = new Uint32Array(entries.length);
  const lexicon = new Map<string, number>();
  let read = 0;
  for (const [position, { text }] of entries.entries()) {
    for (const word of text.split(/[ \n]+/)) {
      if (word === '') continue;
      let id = lexicon.get(word);
      if (id === undefined) lexicon.set(word, (id = lexicon.size));
      wordIds[read++] = id;
    }
    ends[position] = read;
  }
  return { lexicon: [...lexicon.keys()], wordIds: wordIds.subarray(0, read), ends };
}

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

/** The positions of every word in ascending order, one word after the other. */
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

/** A set of whole numbers below a bound, one bit each. */
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
