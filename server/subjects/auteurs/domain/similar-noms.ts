import { cleRegroupement, nfc, normaliser } from '#shared/text';
import type { NamedAuteur } from './initials.ts';

/** A key needs this many letters before a difference of one letter suggests a slip. */
const MIN_LETTERS = 8;

const LETTER = /\p{L}/u;

/** How two keys differ: by one letter, or by two neighbours swapped. */
export type Difference = 'letter' | 'swap';

interface Couple<A> {
  readonly auteurs: readonly [A, A];
  readonly difference: Difference;
}

interface Keyed<A> {
  readonly auteur: A;
  /** The signs of the grouping key, composed, so that a Korean syllable is one letter. */
  readonly key: readonly string[];
}

const keyOf = ({ nom, cle }: NamedAuteur): string => cle ?? cleRegroupement(nom);

/**
 * The pairs of keys of eight letters or more that differ by one letter: added, left out, changed,
 * or two neighbours swapped (docs/rules.md § 15). Leaving one letter out of each of two such keys
 * gives a common text, so only keys that share one are compared.
 */
export function pairsOneLetterApart<A extends NamedAuteur>(auteurs: Iterable<A>): Couple<A>[] {
  const neighbours = new Map<number, Keyed<A>[]>();
  for (const auteur of auteurs) {
    const key = Array.from(nfc(keyOf(auteur)));
    const areLetters = key.map((sign) => LETTER.test(sign));
    if (areLetters.filter(Boolean).length < MIN_LETTERS) continue;
    const keyed = { auteur, key };
    for (const reduced of reductions(key, areLetters)) {
      const group = neighbours.get(reduced);
      if (group) group.push(keyed);
      else neighbours.set(reduced, [keyed]);
    }
  }
  const couples = new Map<string, Couple<A>>();
  for (const group of neighbours.values()) {
    for (const [index, one] of group.entries()) {
      for (const other of group.slice(index + 1)) {
        const difference = differenceOf(one.key, other.key);
        if (difference === null) continue;
        const pair = [one.auteur, other.auteur] as const;
        couples.set(pair.map(({ id }) => id).join(' '), { auteurs: pair, difference });
      }
    }
  }
  return [...couples.values()];
}

/** FNV's prime, as the base of polynomial hashes modulo 2^32. */
const BASE = 0x01000193;

/**
 * Hashes of a key and of every text that results from leaving out one of its letters; two texts of one hash
 * are compared for nothing. The texts themselves take five times as long.
 */
function reductions(key: readonly string[], areLetters: readonly boolean[]): Set<number> {
  const codes = key.map((sign) => sign.codePointAt(0) ?? 0);
  const before = [0];
  for (const [index, code] of codes.entries())
    before.push((Math.imul(before[index] ?? 0, BASE) + code) | 0);
  const reduced = new Set([before[codes.length] ?? 0]);
  let behind = 0;
  let power = 1;
  for (let index = codes.length - 1; index >= 0; index--) {
    if (areLetters[index]) reduced.add((Math.imul(before[index] ?? 0, power) + behind) | 0);
    behind = (behind + Math.imul(codes[index] ?? 0, power)) | 0;
    power = Math.imul(power, BASE);
  }
  return reduced;
}

/** Blanks and digits are no letters: « Jean 22 » and « Jean 23 » are two. */
function differenceOf(a: readonly string[], b: readonly string[]): Difference | null {
  if (a.length > b.length) return differenceOf(b, a);
  const firstDifferent = a.findIndex((sign, index) => sign !== b[index]);
  const start = firstDifferent === -1 ? a.length : firstDifferent;
  const [x = '', nextX = ''] = a.slice(start, start + 2);
  const [y = '', nextY = ''] = b.slice(start, start + 2);
  if (a.length < b.length)
    return LETTER.test(y) && equalTails(a, start, b, start + 1) ? 'letter' : null;
  if (!LETTER.test(x) || !LETTER.test(y)) return null;
  if (equalTails(a, start + 1, b, start + 1)) return 'letter';
  const isSwapped = x === nextY && y === nextX;
  return isSwapped && equalTails(a, start + 2, b, start + 2) ? 'swap' : null;
}

function equalTails(
  a: readonly string[],
  fromA: number,
  b: readonly string[],
  fromB: number,
): boolean {
  if (a.length - fromA !== b.length - fromB) return false;
  for (let i = fromA; i < a.length; i++) if (a[i] !== b[i - fromA + fromB]) return false;
  return true;
}

/**
 * The pairs where one name has all the words of the other and one more, the shorter first. Found by
 * leaving out each word of a key in turn.
 */
export function pairsOneWordApart<A extends NamedAuteur>(
  auteurs: readonly A[],
): { short: A; long: A; word: string }[] {
  const keyed = auteurs
    .map((auteur) => ({ auteur, key: keyOf(auteur) }))
    .filter(({ key }) => normaliser(key) !== '');
  const byKey = new Map(keyed.map(({ auteur, key }) => [key, auteur]));
  return keyed.flatMap(({ auteur: long, key }) => {
    const words = key.split(' ');
    return [...new Set(words)].flatMap((word) => {
      const short = byKey.get(words.toSpliced(words.indexOf(word), 1).join(' '));
      return short === undefined ? [] : [{ short, long, word }];
    });
  });
}
