import { setImmediate } from 'node:timers/promises';
import type { MaybeDeleted } from '#shared/catalogue';
import { collectionNames, type CollectionName } from '#shared/collection-names';
import type { CollectionDocument } from '#shared/collections';
import type { Database } from '#server/plumbing/database/database';
import { SELECT_LINES, toLine, type JournalRow } from './journal.ts';
import type { Records } from './records.ts';

/** A change of a collection with its owner, '' if shared. */
export interface OwnedChange<N extends CollectionName> {
  readonly id: number;
  readonly utilisateur: string;
  readonly document: CollectionDocument<N> | null;
}

type Receivers = {
  readonly [N in CollectionName]?: (changes: readonly OwnedChange<N>[]) => void;
};

/** Revisions per slice, some 20 ms. Each slice updates all values in memory, so that smaller slices cost more. */
const SLICE = 1000;

/** Lists served from memory. Each read first applies the journal's new changes, in slices. */
export class InMemory<T> {
  readonly #records: Records<Database>;
  readonly #value: T;
  readonly #receivers: Receivers;
  #seen = 0;

  constructor(records: Records<Database>, value: T, receivers: Receivers) {
    this.#records = records;
    this.#value = value;
    this.#receivers = receivers;
  }

  /**
   * Reads the state of the last commit, never amid a write. A failed slice is applied again by the next read.
   *
   * @param sortNextChunk does a part of the read's preparation, such as sorting; false if there is none
   */
  async read<R>(
    read: (value: T) => R,
    sortNextChunk: (value: T) => boolean = () => false,
  ): Promise<R> {
    while (this.#takeSlice() || sortNextChunk(this.#value)) await setImmediate();
    return read(this.#value);
  }

  /** Applies one slice; false if there was none. */
  #takeSlice(): boolean {
    const { database } = this.#records;
    if (this.#seen >= database.revision()) return false;
    database.read(() => {
      const end = Math.min(this.#seen + SLICE, database.revision());
      for (const collection of collectionNames)
        this.#deliver(collection, this.#receivers[collection], end);
      this.#seen = end;
    });
    return true;
  }

  #deliver<N extends CollectionName>(collection: N, take: Receivers[N], end: number): void {
    if (take === undefined) return;
    const lines = this.#records.database
      .all<JournalRow>(
        `${SELECT_LINES} WHERE revision > ? AND revision <= ? AND collection = ? ORDER BY revision`,
        this.#seen,
        end,
        collection,
      )
      .map(toLine);
    const documents = this.#records.documentsOf(collection, lines);
    take(
      lines.map((line) => ({
        id: line.id,
        utilisateur: line.utilisateur,
        document: documents.get(line) ?? null,
      })),
    );
  }
}

export const toMaybeDeleted = <D extends { readonly id: number; readonly _deleted?: false }>(
  changes: readonly { readonly id: number; readonly document: D | null }[],
): MaybeDeleted<D>[] => changes.map(({ id, document }) => document ?? { id, _deleted: true });
