import type { IdPair } from '../store/fusions.ts';

/**
 * The refused merges: pairs that somebody has said to be two people (docs/rules.md § 15). A merge
 * passes the refusals of the absorbed author on.
 */
export class Refus {
  readonly #byAuteur = new Map<number, Set<number>>();

  constructor(pairs: Iterable<IdPair> = []) {
    for (const [a, b] of pairs) this.#add(a, b);
  }

  has(a: number, b: number): boolean {
    return this.#byAuteur.get(a)?.has(b) ?? false;
  }

  /** Passes the refusals of an absorbed author to the one kept. */
  transfer(absorbed: number, kept: number): void {
    for (const other of this.#byAuteur.get(absorbed) ?? []) {
      this.#byAuteur.get(other)?.delete(absorbed);
      if (other !== kept) this.#add(kept, other);
    }
    this.#byAuteur.delete(absorbed);
  }

  #add(a: number, b: number): void {
    this.#of(a).add(b);
    this.#of(b).add(a);
  }

  #of(auteur: number): Set<number> {
    const others = this.#byAuteur.get(auteur) ?? new Set();
    this.#byAuteur.set(auteur, others);
    return others;
  }
}
