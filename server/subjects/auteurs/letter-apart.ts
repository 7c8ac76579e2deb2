import { nfc } from '#shared/text';
import { groupingKeyOf, type NamedAuteur } from './merging.ts';

/** The maximum of comparisons per name: more names that differ in the same place are numbered, not misspelt. */
export const MAX_COMPARED = 20;

/** The fewest letters of a key in which a different letter may be a slip. */
const MIN_LETTERS = 8;

const LETTER = /\p{L}/u;
const OTHER_SIGNS = /\P{L}+/gu;

/** One letter, or two neighbours swapped. */
export type Difference = 'letter' | 'swap';

interface Keyed {
  readonly auteur: NamedAuteur;
  readonly key: string;
}

interface NearAuteurs {
  readonly auteurs: readonly [NamedAuteur, NamedAuteur];
  readonly difference: Difference;
}

/**
 * Yields the pairs of keys of at least eight letters that differ by one letter (added, left out, changed or two
 * neighbours swapped; docs/rules.md § 15), each once. Two such keys have a text in common once a letter is left out
 * of each, so that only keys with an equal hash of such a text are compared; hashes need less memory than texts.
 * `null` marks a pause.
 */
export function* pairsOneLetterApart(
  auteurs: readonly NamedAuteur[],
): Generator<NearAuteurs | null> {
  const keyed: Keyed[] = [];
  let length = 0;
  for (const auteur of auteurs) {
    // In NFC, so that a Korean syllable is one letter.
    const key = nfc(groupingKeyOf(auteur));
    if (key.replace(OTHER_SIGNS, '').length >= MIN_LETTERS) {
      keyed.push({ auteur, key });
      length += key.length + 1;
    }
    yield null;
  }
  const hashes = new HashedTexts(length);
  for (const [index, { key }] of keyed.entries()) {
    hashes.add(key, index);
    yield null;
  }
  const group: Keyed[] = [];
  let common = -1;
  for (const found of hashes.inOrder()) {
    yield null;
    const other = found === null ? undefined : keyed[found.index];
    if (found === null || other === undefined) continue;
    if (found.hash !== common) group.length = 0;
    common = found.hash;
    for (const one of group) {
      const near = differenceOf(one.key, other.key);
      if (near === null || hashOf(near.common) !== common) continue;
      yield { auteurs: [one.auteur, other.auteur], difference: near.difference };
    }
    group.push(other);
    if (group.length > MAX_COMPARED) group.shift();
  }
}

/** How many hashes are sorted per slice, in some milliseconds. */
const SORTED_AT_ONCE = 50_000;

/** Above the index of any key; with a hash of 32 bits the sum fits into 53 bits. */
const INDEXES = 2 ** 21;
const HASHES = 2 ** 32;

interface HashedText {
  readonly hash: number;
  /** The key that the text was made from. */
  readonly index: number;
}

/** The hashes of keys and of all their texts with one letter left out: eight bytes each. */
class HashedTexts {
  readonly #texts: Float64Array;
  #length = 0;

  /** @param length of all keys together, plus one per key */
  constructor(length: number) {
    this.#texts = new Float64Array(length);
  }

  add(key: string, index: number): void {
    const prefixes = prefixSums(key);
    const whole = prefixes.at(-1) ?? 0;
    const put = (sum: number) => {
      this.#texts[this.#length++] = mixed(sum) * INDEXES + index;
    };
    put(whole);
    let at = 0;
    for (const sign of key) {
      const next = at + sign.length;
      const [before = 0, until = 0] = [prefixes[at], prefixes[next]];
      // Add the hash without this letter; the following ones keep their weight.
      if (LETTER.test(sign)) put(whole + Math.imul(before - until, powerOf(key.length - next)));
      at = next;
    }
  }

  /** Yields the hashes in ascending order, then by index; `null` marks a pause. */
  *inOrder(): Generator<HashedText | null> {
    let last = -1;
    for (const part of this.#parts(0, this.#length, 0, HASHES)) {
      yield null;
      for (const each of part) {
        // Leaving out either of two equal letters gives the same text.
        if (each !== last) yield { hash: Math.floor(each / INDEXES), index: each % INDEXES };
        last = each;
      }
    }
  }

  /** Splits the hashes at their middle until a part is short enough to be sorted in one slice. */
  *#parts(from: number, to: number, low: number, high: number): Generator<Float64Array> {
    if (to - from <= SORTED_AT_ONCE || high - low <= 1) {
      yield this.#texts.subarray(from, to).sort();
      return;
    }
    const middle = Math.floor((low + high) / 2);
    let end = from;
    for (let at = from; at < to; at++) {
      const each = this.#texts[at] ?? 0;
      if (each < middle * INDEXES) {
        this.#texts[at] = this.#texts[end] ?? 0;
        this.#texts[end++] = each;
      }
      if (at % SORTED_AT_ONCE === 0) yield NOTHING;
    }
    yield* this.#parts(from, end, low, middle);
    yield* this.#parts(end, to, middle, high);
  }
}

const NOTHING = new Float64Array();

const BASE = 0x01000193;
const powers = [1];

function powerOf(exponent: number): number {
  for (let known = powers.length; known <= exponent; known++)
    powers.push(Math.imul(powers[known - 1] ?? 1, BASE));
  return powers[exponent] ?? 1;
}

/** The sums of all prefixes of a text, the empty one first. */
function prefixSums(text: string): number[] {
  const sums = [0];
  let sum = 0;
  for (let at = 0; at < text.length; at++) {
    sum = (Math.imul(sum, BASE) + text.charCodeAt(at)) | 0;
    sums.push(sum);
  }
  return sums;
}

const hashOf = (text: string): number => mixed(prefixSums(text).at(-1) ?? 0);

/** Mixes the bits of a sum, whose lower ones depend on the characters' lower bits only. */
function mixed(sum: number): number {
  let hash = sum | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * The difference of two keys and their common text. Blanks and digits are no letters: « Jean 22 » and « Jean 23 » are
 * two people.
 */
function differenceOf(a: string, b: string): { difference: Difference; common: string } | null {
  if (a.length > b.length) return differenceOf(b, a);
  let start = 0;
  while (start < b.length && a[start] === b[start]) start++;
  // Starts before a surrogate pair, not between its halves.
  if (isLowSurrogate(a, start) || isLowSurrogate(b, start)) start--;
  const [x, y] = [signAt(a, start), signAt(b, start)];
  if (!LETTER.test(y)) return null;
  const [tailA, tailB] = [a.slice(start), b.slice(start + y.length)];
  if (tailA === tailB) return { difference: 'letter', common: a };
  if (!LETTER.test(x)) return null;
  const common = a.slice(0, start) + tailA.slice(x.length);
  if (tailA.slice(x.length) === tailB) return { difference: 'letter', common };
  const areSwapped =
    tailA.startsWith(y, x.length) &&
    tailB.startsWith(x) &&
    tailA.slice(x.length + y.length) === tailB.slice(x.length);
  return areSwapped ? { difference: 'swap', common } : null;
}

const isLowSurrogate = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00;

const signAt = (text: string, at: number): string =>
  String.fromCodePoint(text.codePointAt(at) ?? 0);
