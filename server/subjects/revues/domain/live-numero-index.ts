import { NumeroIndex } from '#shared/numero-index';
import type { Database } from '#server/plumbing/database/database';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import { documents, follow } from '#server/plumbing/sync/follow';

/** The household's periodicals and issues in memory. */
export class LiveNumeroIndex extends NumeroIndex {
  readonly #ready: () => Promise<void>;

  constructor(records: Records<Database>, journal: Journal) {
    super();
    this.#ready = follow(records, journal, {
      revues: (changes) => this.applyRevues(documents(changes)),
      numeros: (changes) => this.applyNumeros(documents(changes)),
    });
  }

  /** Settles once all of the last commit is there; to be awaited before each reading. */
  get ready(): Promise<void> {
    return this.#ready();
  }
}
