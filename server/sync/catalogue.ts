import { Catalogue, type Statuts } from '#shared/catalogue';
import type { Statut } from '#shared/statuts';
import type { Base } from '#server/database/base';
import { readSince } from './documents.ts';
import type { Journal } from './journal.ts';

const NO_STATUTS: Statuts = new Map();

/**
 * The household's books, open loans and statuses in the server's memory, as they were at the last
 * commit: a read of books needs no SQL. It reads the journal like a replica does, from the
 * revision it has reached, so a commit that it failed to take is taken with the next one.
 */
export class LiveCatalogue extends Catalogue {
  readonly #base: Base;
  readonly #statuts = new Map<string, Map<number, Statut>>();
  #revision = 0;

  constructor(base: Base, journal: Journal) {
    super();
    this.#base = base;
    this.#follow();
    journal.subscribe(() => this.#follow());
  }

  /** The statuses of one user by the book's id; nobody's for an unknown caller. */
  statutsDe(utilisateur: string | null): Statuts {
    return (utilisateur !== null && this.#statuts.get(utilisateur)) || NO_STATUTS;
  }

  #follow(): void {
    this.#base.read(() => {
      this.recevoirLivres(documents(readSince(this.#base, 'livres', this.#revision)));
      this.recevoirPrets(documents(readSince(this.#base, 'prets', this.#revision)));
      for (const { utilisateur, document } of readSince(this.#base, 'statuts', this.#revision)) {
        if ('_deleted' in document) this.#statuts.get(utilisateur)?.delete(document.id);
        else this.#of(utilisateur).set(document.livreId, document.statut);
      }
      this.#revision = this.#base.revision();
    });
  }

  #of(utilisateur: string): Map<number, Statut> {
    const known = this.#statuts.get(utilisateur);
    if (known !== undefined) return known;
    const statuts = new Map<number, Statut>();
    this.#statuts.set(utilisateur, statuts);
    return statuts;
  }
}

function* documents<T>(entries: Iterable<{ readonly document: T }>): Generator<T> {
  for (const { document } of entries) yield document;
}
