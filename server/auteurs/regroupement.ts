import { cleRegroupement } from '#shared/text';
import { forme, fusionner, type AuteurConnu } from './fusion.ts';
import { absorptions } from './initiales.ts';
import type { Refus } from './refus.ts';

/** What becomes of several records once some of them are one. */
export interface Bilan {
  /** For each record that goes, the one that stands for it in the end. */
  readonly heritiers: ReadonlyMap<number, number>;
  /** Those that stand for others, under the names that they then have. */
  readonly restes: readonly AuteurConnu[];
}

/**
 * The merges that need nobody's word: spellings of one grouping key, then initials forms, until
 * nothing moves (specification « Author merge », rule 2). None undoes a refusal; `refus` follows
 * the merges.
 */
export function regrouper(auteurs: Iterable<AuteurConnu>, refus: Refus): Bilan {
  const regroupement = new Regroupement(auteurs, refus);
  let avant: number;
  do {
    avant = regroupement.nombre;
    regroupement.fondreLesVariantes();
    regroupement.fondreLesInitiales();
  } while (regroupement.nombre < avant);
  return regroupement.bilan();
}

class Regroupement {
  readonly #restants: Map<number, AuteurConnu>;
  readonly #heritiers = new Map<number, number>();
  readonly #refus: Refus;

  constructor(auteurs: Iterable<AuteurConnu>, refus: Refus) {
    this.#restants = new Map([...auteurs].map((auteur) => [auteur.id, auteur]));
    this.#refus = refus;
  }

  get nombre(): number {
    return this.#restants.size;
  }

  bilan(): Bilan {
    const heritiers = new Map([...this.#heritiers.keys()].map((id) => [id, this.#courant(id).id]));
    const restes = new Set(heritiers.values());
    return { heritiers, restes: this.#parId().filter(({ id }) => restes.has(id)) };
  }

  fondreLesVariantes(): void {
    const parCle = Map.groupBy(this.#parId(), (auteur) => cleRegroupement(forme(auteur)));
    for (const variantes of parCle.values()) {
      const gardes: number[] = [];
      for (const { id } of variantes) {
        const place = gardes.findIndex((garde) => !this.#refus.a(garde, id));
        const garde = gardes[place];
        if (garde === undefined) gardes.push(id);
        else gardes[place] = this.#fondre(garde, id);
      }
    }
  }

  fondreLesInitiales(): void {
    const formes = this.#parId().map((auteur) => ({ id: auteur.id, nom: forme(auteur) }));
    for (const { courte, longue } of absorptions(formes, this.#refus))
      this.#fondre(courte.id, longue.id);
  }

  #parId(): AuteurConnu[] {
    return [...this.#restants.values()].sort((a, b) => a.id - b.id);
  }

  /** Makes one record of two, and returns its id. */
  #fondre(a: number, b: number): number {
    const { reste, absorbe } = fusionner(this.#courant(a), this.#courant(b));
    this.#restants.delete(absorbe);
    this.#restants.set(reste.id, reste);
    this.#heritiers.set(absorbe, reste.id);
    this.#refus.deplacer(absorbe, reste.id);
    return reste.id;
  }

  /** The record that an id stands for by now. */
  #courant(id: number): AuteurConnu {
    const heritier = this.#heritiers.get(id);
    const auteur = this.#restants.get(id);
    if (heritier !== undefined) return this.#courant(heritier);
    if (auteur === undefined) throw new Error(`No author ${String(id)} to merge`);
    return auteur;
  }
}
