import type { CollectionName } from '#shared/collections';
import type { Base } from '#server/database/base';
import { Listeners } from '#server/database/listeners';

/** The last change of one document. */
export interface Line {
  readonly collection: CollectionName;
  readonly id: number;
  /** Whose document it is; '' where it is everyone's. */
  readonly utilisateur: string;
  readonly supprime: boolean;
}

/** What one commit has changed. */
export interface Publication {
  /** The journal's revision after the commit. */
  readonly revision: number;
  readonly lines: readonly Line[];
}

/** Reads the lines that each commit adds to the journal, and tells them on. */
export class Journal {
  readonly #base: Base;
  readonly #listeners = new Listeners<[Publication]>();
  #revision: number;

  constructor(base: Base) {
    this.#base = base;
    this.#revision = base.revision();
    base.onCommit(() => this.#publish());
  }

  /** Has a listener told of each commit that changed a document, in the order of subscription. */
  subscribe(listener: (publication: Publication) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** Whose documents have changed after a revision, '' standing for everyone's. */
  ownersSince(revision: number): ReadonlySet<string> {
    const rows = this.#base
      .prepare<[number], { utilisateur: string }>(
        'SELECT DISTINCT utilisateur FROM Journal WHERE revision > ?',
      )
      .all(revision);
    return new Set(rows.map(({ utilisateur }) => utilisateur));
  }

  #publish(): void {
    const rows = this.#base
      .prepare<[number], Omit<Line, 'supprime'> & { revision: number; supprime: number }>(
        `SELECT revision, collection, id, utilisateur, supprime
         FROM Journal WHERE revision > ? ORDER BY revision`,
      )
      .all(this.#revision);
    const last = rows.at(-1);
    if (last === undefined) return;
    this.#revision = last.revision;
    const lines = rows.map((row) => ({ ...row, supprime: row.supprime === 1 }));
    this.#listeners.tell({ revision: last.revision, lines });
  }
}
