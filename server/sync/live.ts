import { Catalogue, type MaybeDeleted, type Statuts } from '#shared/catalogue';
import { collectionNames, type CollectionName } from '#shared/collections';
import { NumeroIndex } from '#shared/numero-index';
import type { Statut } from '#shared/statuts';
import type { Records } from '#server/records/records';
import { changesSince, type OwnedChange } from './changes.ts';
import type { Journal } from '#server/records/journal';

/** Who takes the changes of which collection. */
type Receivers = {
  readonly [N in CollectionName]?: (changes: Iterable<OwnedChange<N>>) => void;
};

/**
 * Keeps receivers as the database was at its last commit. They read the journal like a replica does,
 * from the revision that all of them have reached: a commit that one failed to take is given to all
 * again with the next one.
 */
function follow(records: Records, journal: Journal, receivers: Receivers): void {
  let reached = 0;
  const deliver = <N extends CollectionName>(collection: N, receive: Receivers[N]): void =>
    receive?.(changesSince(records, collection, reached));
  const catchUp = (): void =>
    records.database.read(() => {
      for (const collection of collectionNames) deliver(collection, receivers[collection]);
      reached = records.database.revision();
    });
  catchUp();
  journal.subscribe(catchUp);
}

const NO_STATUTS: Statuts = new Map();

/** The household's books, open loans and statuses in memory: a list of books needs no SQL. */
export class LiveCatalogue extends Catalogue {
  readonly #statuts = new Map<string, Map<number, Statut>>();

  constructor(records: Records, journal: Journal) {
    super();
    follow(records, journal, {
      livres: (changes) => this.applyLivres(documents(changes)),
      series: (changes) => this.applySeries(documents(changes)),
      prets: (changes) => this.applyPrets(documents(changes)),
      statuts: (changes) => this.#applyStatuts(changes),
    });
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

/** The household's periodicals and issues in memory. */
export class LiveNumeroIndex extends NumeroIndex {
  constructor(records: Records, journal: Journal) {
    super();
    follow(records, journal, {
      revues: (changes) => this.applyRevues(documents(changes)),
      numeros: (changes) => this.applyNumeros(documents(changes)),
    });
  }
}

/** Documents, or what is left of them, one by one, so that a large catalogue is not in memory twice. */
function* documents<D extends { readonly id: number; readonly _deleted?: false }>(
  changes: Iterable<{ readonly id: number; readonly document: D | null }>,
): Generator<MaybeDeleted<D>> {
  for (const { id, document } of changes) yield document ?? { id, _deleted: true };
}
