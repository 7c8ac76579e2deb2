/** A set of the whole numbers below a bound, a bit each. */
export class Bits {
  readonly #mots: Uint32Array;

  private constructor(mots: Uint32Array) {
    this.#mots = mots;
  }

  static aucun(nombre: number): Bits {
    return new Bits(new Uint32Array(Math.ceil(nombre / 32)));
  }

  static tous(nombre: number): Bits {
    const bits = Bits.aucun(nombre);
    for (let n = 0; n < nombre; n++) bits.ajouter(n);
    return bits;
  }

  copie(): Bits {
    return new Bits(this.#mots.slice());
  }

  ajouter(n: number): void {
    const i = n >>> 5;
    this.#mots[i] = (this.#mots[i] ?? 0) | (1 << (n & 31));
  }

  retirer(n: number): void {
    const i = n >>> 5;
    this.#mots[i] = (this.#mots[i] ?? 0) & ~(1 << (n & 31));
  }

  /** Keeps only what the other set has, too. */
  croiser(autre: Bits): void {
    for (let i = 0; i < this.#mots.length; i++)
      this.#mots[i] = (this.#mots[i] ?? 0) & (autre.#mots[i] ?? 0);
  }

  /** Calls with every number of the set, from the smallest on. */
  parcourir(visiter: (n: number) => void): void {
    for (let i = 0; i < this.#mots.length; i++) {
      for (let mot = this.#mots[i] ?? 0; mot !== 0; mot &= mot - 1)
        visiter(32 * i + 31 - Math.clz32(mot & -mot));
    }
  }
}
