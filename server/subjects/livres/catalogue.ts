import type { AuteurRef } from '#shared/auteurs';
import { Catalogue, type MaybeDeleted, type Statuts } from '#shared/catalogue';
import type { LivreDocument } from '#shared/livres';
import type { Statut } from '#shared/statuts';
import type { Database } from '#server/plumbing/database/database';
import { InMemory, toMaybeDeleted, type OwnedChange } from '#server/plumbing/records/in-memory';
import type { Records } from '#server/plumbing/records/records';

const NO_STATUTS: Statuts = new Map();

/** The books as lists are read from, with the statuses of each reader. */
export class HouseCatalogue extends Catalogue {
  /** Lists of a single author, by id: shared by that author's books. */
  readonly #auteurs = new Map<number, [AuteurRef]>();
  readonly #statuts = new Map<string, Map<number, Statut>>();

  statutsOf(utilisateur: string | null): Statuts {
    return (utilisateur !== null && this.#statuts.get(utilisateur)) || NO_STATUTS;
  }

  override applyLivres(changes: readonly MaybeDeleted<LivreDocument>[]): void {
    for (const change of changes)
      if (!change._deleted) change.auteurs = this.#heldOnce(change.auteurs);
    super.applyLivres(changes);
  }

  #heldOnce(auteurs: readonly AuteurRef[]): AuteurRef[] {
    const [first = [], ...others] = auteurs.map((auteur) => {
      const cached = this.#auteurs.get(auteur.id);
      if (cached?.[0].nom === auteur.nom) return cached;
      const alone: [AuteurRef] = [auteur];
      this.#auteurs.set(auteur.id, alone);
      return alone;
    });
    return others.length === 0 ? first : [first, ...others].flat();
  }

  applyStatuts(changes: readonly OwnedChange<'statuts'>[]): void {
    for (const { id, utilisateur, document } of changes) {
      const statuts = this.#statuts.get(utilisateur) ?? new Map<number, Statut>();
      if (document === null) statuts.delete(id);
      else statuts.set(id, document.statut);
      this.#statuts.set(utilisateur, statuts);
    }
  }
}

export type LiveCatalogue = InMemory<HouseCatalogue>;

export function liveCatalogue(
  records: Records<Database>,
  catalogue = new HouseCatalogue(),
): LiveCatalogue {
  return new InMemory(records, catalogue, {
    livres: (changes) => catalogue.applyLivres(toMaybeDeleted(changes)),
    series: (changes) => catalogue.applySeries(toMaybeDeleted(changes)),
    emplacements: (changes) => catalogue.applyEmplacements(toMaybeDeleted(changes)),
    prets: (changes) => catalogue.applyPrets(toMaybeDeleted(changes)),
    statuts: (changes) => catalogue.applyStatuts(changes),
  });
}
