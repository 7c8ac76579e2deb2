/** Two authors by their ids, the lower one first. */
export type Paire = readonly [number, number];

export const paire = (a: number, b: number): Paire => (a < b ? [a, b] : [b, a]);

/**
 * The pairs that someone has said to be two people (specification « Author », rule 2), as the
 * rules of merging ask for them. What is merged takes its refusals along.
 */
export class Refus {
  readonly #parAuteur = new Map<number, Set<number>>();

  constructor(paires: Iterable<Paire> = []) {
    for (const [a, b] of paires) this.#ajouter(a, b);
  }

  a(a: number, b: number): boolean {
    return this.#parAuteur.get(a)?.has(b) ?? false;
  }

  /** One author has been absorbed by another: its refusals hold for the one that stays. */
  deplacer(absorbe: number, reste: number): void {
    for (const autre of this.#parAuteur.get(absorbe) ?? []) {
      this.#parAuteur.get(autre)?.delete(absorbe);
      if (autre !== reste) this.#ajouter(reste, autre);
    }
    this.#parAuteur.delete(absorbe);
  }

  #ajouter(a: number, b: number): void {
    this.#de(a).add(b);
    this.#de(b).add(a);
  }

  #de(auteur: number): Set<number> {
    const connus = this.#parAuteur.get(auteur) ?? new Set();
    this.#parAuteur.set(auteur, connus);
    return connus;
  }
}
