import type { CollectionName } from '#shared/collection-names';
import type { Database } from '#server/plumbing/database/database';
import type { Transaction } from '#server/plumbing/database/connection';

// The entries are written by the triggers `<table>_ajoute`, `_modifie` and `_supprime` of
// migrations/ (from 005-journal.sql on), never by the program.

export interface JournalLine {
  readonly revision: number;
  readonly collection: CollectionName;
  readonly id: number;
  /** The owner of the document, '' if shared. */
  readonly utilisateur: string;
  readonly supprime: boolean;
}

export interface JournalRow extends Omit<JournalLine, 'supprime'> {
  readonly supprime: 0 | 1;
}

export const SELECT_LINES =
  'SELECT revision, collection, id, utilisateur, supprime FROM Journal NOT INDEXED';

export const toLine = (row: JournalRow): JournalLine => ({ ...row, supprime: row.supprime === 1 });

/**
 * Reserves the next revision for the history entry of a write, before those of the changed records, whose last
 * revision is the record's ETag (docs/rules.md § 29).
 */
export function reserveRevision(database: Transaction): number {
  const next = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'Journal'";
  if (database.run(next).changes === 0)
    database.run("INSERT INTO sqlite_sequence (name, seq) VALUES ('Journal', 1)");
  return database.revision();
}

/** Assigns the reserved revision to the history entry; without an entry it is released, unless a later one was used. */
export function assignRevision(
  database: Transaction,
  revision: number,
  of: Pick<JournalLine, 'collection' | 'id'> | undefined,
): void {
  if (of !== undefined)
    database.run(
      'UPDATE Journal SET revision = @revision WHERE collection = @collection AND id = @id',
      { ...of, revision },
    );
  database.run(
    `UPDATE sqlite_sequence SET seq = max(?, coalesce((SELECT max(revision) FROM Journal), 0))
       WHERE name = 'Journal'`,
    revision - 1,
  );
}

interface Publication {
  readonly revision: number;
  readonly owners: ReadonlySet<string>;
}

export class Journal {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The listener hears of each commit that adds lines, until the returned function is called. */
  subscribe(listener: (publication: Publication) => void): () => void {
    let revision = this.#database.revision();
    return this.#database.onCommit(() => {
      const owners = this.ownersSince(revision);
      if (owners.size === 0) return;
      revision = this.#database.value<number>('SELECT max(revision) FROM Journal') ?? 0;
      listener({ revision, owners });
    });
  }

  /** `''` stands for shared documents. */
  ownersSince(revision: number): ReadonlySet<string> {
    const owners = this.#database.values<string>(
      'SELECT DISTINCT utilisateur FROM Journal NOT INDEXED WHERE revision > ?',
      revision,
    );
    return new Set(owners);
  }

  /**
   * `version` is the revision of the last change other than an automatic cover. `undefined` for an unknown id,
   * another person's record and a purged deletion. A loan or status does not change its book; a place and its order
   * change the series.
   *
   * @param utilisateur '' for a shared collection
   */
  revisionOf(
    collection: CollectionName,
    utilisateur: string,
    id: number,
  ): { revision: number; version: number; supprime: boolean } | undefined {
    const line = this.#database.get<{ revision: number; version: number; supprime: 0 | 1 }>(
      `SELECT revision, coalesce(version, revision) AS version, supprime FROM Journal
         WHERE collection = @collection AND utilisateur = @utilisateur AND id = @id`,
      { collection, utilisateur, id },
    );
    return line && { ...line, supprime: line.supprime === 1 };
  }
}
