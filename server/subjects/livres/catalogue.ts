import { Catalogue, type Statuts } from '#shared/catalogue';
import type { Statut } from '#shared/statuts';
import type { Database } from '#server/plumbing/database/database';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import type { OwnedChange } from '#server/plumbing/sync/changes';
import { documents, follow } from '#server/plumbing/sync/follow';

const NO_STATUTS: Statuts = new Map();

/** The household's books, open loans and statuses in memory: a list of books needs no SQL. */
export class LiveCatalogue extends Catalogue {
  readonly #ready: () => Promise<void>;
  readonly #statuts = new Map<string, Map<number, Statut>>();

  constructor(records: Records<Database>, journal: Journal) {
    super();
    this.#ready = follow(records, journal, {
      livres: (changes) => this.applyLivres(documents(changes)),
      series: (changes) => this.applySeries(documents(changes)),
      emplacements: (changes) => this.applyEmplacements(documents(changes)),
      prets: (changes) => this.applyPrets(documents(changes)),
      statuts: (changes) => this.#applyStatuts(changes),
    });
  }

  /** Settles once all of the last commit is there; to be awaited before each reading. */
  get ready(): Promise<void> {
    return this.#ready();
  }

  /** The statuses of one user by the book's id; nobody's for an unknown caller. */
  statutsOf(utilisateur: string | null): Statuts {
    return (utilisateur !== null && this.#statuts.get(utilisateur)) || NO_STATUTS;
  }

  #applyStatuts(changes: Iterable<OwnedChange<'statuts'>>): void {
    for (const { id, utilisateur, document } of changes) {
      const statuts = this.#statuts.get(utilisateur) ?? new Map<number, Statut>();
      if (document === null) statuts.delete(id);
      else statuts.set(id, document.statut);
      this.#statuts.set(utilisateur, statuts);
    }
  }
}
