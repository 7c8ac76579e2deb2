/**
 * How many letters must be put in, left out, changed or swapped with their neighbour to make one
 * word of the other; `max + 1` as soon as it is more than `max`. Takes at most `64 × max` steps.
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

/** The letters of a word as bits, so that words with few common letters need no comparison. */
export function letterBits(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31);
  return bits;
}

/** Whether two words may be `max` apart: counts the letters that only one of them has. */
export const mayBeNear = (a: number, b: number, max: number): boolean =>
  countBits(a & ~b) <= max && countBits(b & ~a) <= max;

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
