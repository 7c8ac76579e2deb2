/** A set of the whole numbers below a bound, one bit each. */
export class Bits {
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

  /** Keeps only what the other set holds, too. */
  intersect(other: Bits): void {
    for (let i = 0; i < this.#words.length; i++)
      this.#words[i] = (this.#words[i] ?? 0) & (other.#words[i] ?? 0);
  }

  /** Calls with every number of the set, in ascending order. */
  forEach(visit: (n: number) => void): void {
    for (let i = 0; i < this.#words.length; i++) {
      for (let word = this.#words[i] ?? 0; word !== 0; word &= word - 1)
        visit(32 * i + 31 - Math.clz32(word & -word));
    }
  }
}
