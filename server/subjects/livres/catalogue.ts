import { Catalogue, type Statuts } from '#shared/catalogue';
import type { Statut } from '#shared/statuts';
import type { Database } from '#server/plumbing/database/database';
import { documents, InMemory, type OwnedChange } from '#server/plumbing/records/in-memory';
import type { Records } from '#server/plumbing/records/records';

const NO_STATUTS: Statuts = new Map();

/** The household's books, open loans and statuses. */
export class HouseCatalogue extends Catalogue {
  readonly #statuts = new Map<string, Map<number, Statut>>();

  /** The statuses of one user by the book's id; nobody's for an unknown caller. */
  statutsOf(utilisateur: string | null): Statuts {
    return (utilisateur !== null && this.#statuts.get(utilisateur)) || NO_STATUTS;
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

/** The catalogue in memory: a list of books needs no SQL. */
export type LiveCatalogue = InMemory<HouseCatalogue>;

export function liveCatalogue(
  records: Records<Database>,
  catalogue = new HouseCatalogue(),
): LiveCatalogue {
  return new InMemory(records, catalogue, {
    livres: (changes) => catalogue.applyLivres(documents(changes)),
    series: (changes) => catalogue.applySeries(documents(changes)),
    emplacements: (changes) => catalogue.applyEmplacements(documents(changes)),
    prets: (changes) => catalogue.applyPrets(documents(changes)),
    statuts: (changes) => catalogue.applyStatuts(changes),
  });
}
