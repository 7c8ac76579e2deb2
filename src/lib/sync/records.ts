import { Catalogue, type MaybeDeleted } from '#shared/catalogue';
import type { CollectionName } from '#shared/collection-names';
import type { CollectionDocument } from '#shared/collections';
import { collectionNames } from '#shared/collection-names';
import type { LivreDocument } from '#shared/livres';
import type { Change } from '#shared/replication';
import type { Statut } from '#shared/statuts';
import { report } from './report.ts';
import { unsafeCast } from '../api/unsafe-cast.ts';

/** A topic of subscriptions: one kind of records, or the replica's state. */
export type Topic = CollectionName | 'replica';

/** The collections that are tables in memory; books are in the catalogue. */
type TableName = Exclude<CollectionName, 'livres'>;

/** The records of each such collection, by id. */
export type Tables = {
  readonly [N in TableName]: Map<number, CollectionDocument<N>>;
};

interface ReplicaState {
  /** True until it is known whether the device has a replica. */
  readonly isOpening: boolean;
  /** True once a complete replica is shown. */
  readonly isReady: boolean;
  /** The records received by a first replica; `null` without one. */
  readonly progress: { readonly received: number } | null;
  /** The database that the records are of, empty before it is known: revisions of two databases cannot be compared. */
  readonly epoch: string;
}

/** `livres/12`: the kind and the id of a record. */
export const keyOf = ({ collection, id }: Pick<Change, 'collection' | 'id'>): string =>
  `${collection}/${String(id)}`;

const NO_STATUTS: ReadonlyMap<number, Statut> = new Map();
const NO_REPLICA: ReplicaState = { isOpening: true, isReady: false, progress: null, epoch: '' };

const hasChanged = (shown: number | undefined, revision: number): boolean =>
  shown === undefined || revision > shown || (revision === 0 && shown === 0);

const isTable = (name: CollectionName): name is TableName => name !== 'livres';
export const tableNames: readonly TableName[] = collectionNames.filter(isTable);

/** The records of the active replica in memory; one instance per page, emptied for another reader. */
export class Records {
  catalogue = new Catalogue();
  readonly tables = unsafeCast<Tables>(
    Object.fromEntries(tableNames.map((name) => [name, new Map<number, object>()])),
  );
  /** The reader's own statuses, by book. */
  readonly statuts = new Map<number, Statut>();
  replica: ReplicaState = NO_REPLICA;

  readonly #revisions: ReadonlyMap<CollectionName, Map<number, number>> = new Map(
    collectionNames.map((name) => [name, new Map()]),
  );
  readonly #versions = new Map<Topic, number>();
  readonly #listeners = new Map<Topic, Set<() => void>>();
  #livres: readonly LivreDocument[] | null = null;

  /** The books, by title. */
  get livres(): readonly LivreDocument[] {
    this.#livres ??= this.catalogue.search({}, NO_STATUTS);
    return this.#livres;
  }

  /** The revision of a record's line in the journal, for `If-Match`; `null` where it is not known. */
  revisionOf(collection: CollectionName, id: number): number | null {
    return this.#revisions.get(collection)?.get(id) || null;
  }

  /** How many records, without the history, were added or changed since a revision. */
  writtenAfter(revision: number): number {
    let count = 0;
    for (const [collection, revisions] of this.#revisions)
      if (collection !== 'modifications')
        for (const [id, written] of revisions)
          if (written > revision && this.#has(collection, id)) count++;
    return count;
  }

  #has(collection: CollectionName, id: number): boolean {
    return isTable(collection)
      ? this.tables[collection].has(id)
      : this.catalogue.livre(id) !== undefined;
  }

  count(collection: CollectionName): number {
    return isTable(collection) ? this.tables[collection].size : this.catalogue.size;
  }

  get size(): number {
    return collectionNames.reduce((sum, collection) => sum + this.count(collection), 0);
  }

  /**
   * Takes changes that are newer than the shown records, or of no known revision, and returns their kinds; the caller
   * calls `notify`, once for all of a page. A kind that this application does not know is left out.
   */
  take(changes: readonly Change[]): ReadonlySet<CollectionName> {
    const newer = changes.filter(
      ({ collection, id, revision }) =>
        this.#revisions.has(collection) &&
        hasChanged(this.#revisions.get(collection)?.get(id), revision),
    );
    const byKind = Map.groupBy(newer, ({ collection }) => collection);
    for (const [kind, some] of byKind) {
      for (const { id, revision } of some) this.#revisions.get(kind)?.set(id, revision);
      if (isTable(kind)) this.#put(kind, some);
      this.#follow(kind, some);
    }
    return new Set(byKind.keys());
  }

  /** Some books with their open loans and the reader's statuses, as changes without a revision. */
  unversioned(livreIds: readonly number[]): Change[] {
    const { prets, statuts } = this.tables;
    const found = livreIds.flatMap((id) => [
      { collection: 'livres', document: this.catalogue.livre(id) },
      { collection: 'prets', document: prets.get(this.catalogue.openPret(id)?.id ?? 0) },
      { collection: 'statuts', document: statuts.get(id) },
    ]);
    return found.flatMap(({ collection, document }) =>
      document === undefined
        ? []
        : unsafeCast<Change>({ collection, id: document.id, revision: 0, document }),
    );
  }

  show(changes: readonly Change[]): void {
    this.notify(this.take(changes));
  }

  /** Removes all records except those of some keys, and returns the affected kinds; the caller calls `notify`. */
  keepOnly(keys: ReadonlySet<string>): ReadonlySet<CollectionName> {
    const others = collectionNames
      .flatMap((collection) => this.#idsOf(collection).map((id) => ({ collection, id })))
      .filter((record) => !keys.has(keyOf(record)))
      .map((record) => unsafeCast<Change>({ ...record, revision: 0, document: null }));
    for (const { collection, id } of others) this.#revisions.get(collection)?.delete(id);
    return this.take(others);
  }

  /** Makes any record newer than the shown ones, whose revisions belong to another database. */
  forgetRevisions(): void {
    for (const revisions of this.#revisions.values()) revisions.clear();
  }

  setReplica(replica: Partial<ReplicaState>): void {
    this.replica = { ...this.replica, ...replica };
    this.notify(['replica']);
  }

  clear(): void {
    for (const name of tableNames) this.tables[name].clear();
    this.statuts.clear();
    this.catalogue = new Catalogue();
    this.#livres = null;
    for (const revisions of this.#revisions.values()) revisions.clear();
    this.replica = NO_REPLICA;
    this.notify([...collectionNames, 'replica']);
  }

  /** Counts the changes of a topic, so that derived values can be cached. */
  version(topic: Topic): number {
    return this.#versions.get(topic) ?? 0;
  }

  /** Calls each listener of these topics once; one that throws is reported and does not affect the others. */
  notify(topics: Iterable<Topic>): void {
    const listeners = new Set<() => void>();
    for (const topic of topics) {
      this.#versions.set(topic, this.version(topic) + 1);
      for (const listener of this.#listeners.get(topic) ?? []) listeners.add(listener);
    }
    for (const listener of listeners)
      try {
        listener();
      } catch (error) {
        report(error, 'telling what has changed');
      }
  }

  subscribe(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #idsOf(collection: CollectionName): number[] {
    if (isTable(collection)) return [...this.tables[collection].keys()];
    return this.livres.map(({ id }) => id);
  }

  #put(name: TableName, changes: readonly Change[]): void {
    const table = unsafeCast<Map<number, object>>(this.tables[name]);
    for (const { id, document } of changes) {
      if (document === null) table.delete(id);
      else table.set(id, document);
    }
  }

  #follow(kind: CollectionName, changes: readonly Change[]): void {
    if (kind === 'livres') {
      this.catalogue.applyLivres(documents<'livres'>(changes));
      this.#livres = null;
    } else if (kind === 'prets') this.catalogue.applyPrets(documents<'prets'>(changes));
    else if (kind === 'series') this.catalogue.applySeries(documents<'series'>(changes));
    else if (kind === 'emplacements')
      this.catalogue.applyEmplacements(documents<'emplacements'>(changes));
    else if (kind === 'statuts')
      for (const change of documents<'statuts'>(changes)) {
        if (change._deleted) this.statuts.delete(change.id);
        else this.statuts.set(change.id, change.statut);
      }
  }
}

function documents<N extends CollectionName>(
  changes: readonly Change[],
): MaybeDeleted<CollectionDocument<N>>[] {
  return changes.map(({ id, document }) =>
    document === null ? { id, _deleted: true } : unsafeCast(document),
  );
}

export const records = new Records();
