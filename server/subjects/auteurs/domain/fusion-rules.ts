import { cleRegroupement } from '#shared/text';
import type { AuteurRecord } from '../store/auteurs.ts';
import { fullNom, fusionner } from './fusion.ts';
import { findAbsorptions } from './initials.ts';
import type { Refus } from './refus.ts';

export interface FusionResult {
  /** The id of each absorbed author → that of the one that replaces it in the end. */
  readonly successors: ReadonlyMap<number, number>;
  /** The remaining authors, with their names after the merge. */
  readonly kept: readonly AuteurRecord[];
}

/**
 * The merges that need no confirmation: spellings of one grouping key, then initials forms, until
 * nothing changes (docs/rules.md § 15). None overrides a refusal; `refus` is updated by each merge.
 */
export function applyFusionRules(auteurs: Iterable<AuteurRecord>, refus: Refus): FusionResult {
  const merging = new Merging(auteurs, refus);
  let before: number;
  do {
    before = merging.size;
    merging.mergeSpellings();
    merging.mergeInitials();
  } while (merging.size < before);
  return merging.result();
}

class Merging {
  readonly #left: Map<number, AuteurRecord>;
  readonly #successors = new Map<number, number>();
  readonly #refus: Refus;

  constructor(auteurs: Iterable<AuteurRecord>, refus: Refus) {
    this.#left = new Map([...auteurs].map((auteur) => [auteur.id, auteur]));
    this.#refus = refus;
  }

  get size(): number {
    return this.#left.size;
  }

  result(): FusionResult {
    const successors = new Map(
      [...this.#successors.keys()].map((id) => [id, this.#current(id).id]),
    );
    const keptIds = new Set(successors.values());
    return { successors, kept: this.#byId().filter(({ id }) => keptIds.has(id)) };
  }

  mergeSpellings(): void {
    const byKey = Map.groupBy(this.#byId(), (auteur) => cleRegroupement(fullNom(auteur)));
    for (const spellings of byKey.values()) {
      const people: number[] = [];
      for (const { id } of spellings) {
        const index = people.findIndex((person) => !this.#refus.has(person, id));
        const person = people[index];
        if (person === undefined) people.push(id);
        else people[index] = this.#merge(person, id);
      }
    }
  }

  mergeInitials(): void {
    const named = this.#byId().map((auteur) => ({ id: auteur.id, nom: fullNom(auteur) }));
    for (const { short, long } of findAbsorptions(named, this.#refus))
      this.#merge(short.id, long.id);
  }

  #byId(): AuteurRecord[] {
    return [...this.#left.values()].sort((a, b) => a.id - b.id);
  }

  /** Merges two authors and returns the id of the one kept. */
  #merge(a: number, b: number): number {
    const { kept, absorbedId } = fusionner(this.#current(a), this.#current(b));
    this.#left.delete(absorbedId);
    this.#left.set(kept.id, kept);
    this.#successors.set(absorbedId, kept.id);
    this.#refus.transfer(absorbedId, kept.id);
    return kept.id;
  }

  /** The remaining author for an id, merged or not. */
  #current(id: number): AuteurRecord {
    const successor = this.#successors.get(id);
    const auteur = this.#left.get(id);
    if (successor !== undefined) return this.#current(successor);
    if (auteur === undefined) throw new Error(`No author ${String(id)} to merge`);
    return auteur;
  }
}
