import { Catalogue, type MaybeDeleted } from '#shared/catalogue';
import type { CollectionDocument, CollectionName } from '#shared/collections';
import { collectionNames } from '#shared/collections';
import type { LivreDocument } from '#shared/livres';
import type { Change } from '#shared/replication';
import type { Statut } from '#shared/statuts';
import { keyOf } from './keys.ts';
import { report } from './report.ts';
import { unsafeCast } from '../api/unsafe-cast.ts';

/** What a listener can subscribe to: the records of one kind, or the state of the copy. */
export type Topic = CollectionName | 'copy';

/** The collections that are held as tables; the books are held by the catalogue. */
type TableName = Exclude<CollectionName, 'livres'>;

/** The records of each such collection, by id. */
export type Tables = {
  readonly [N in TableName]: Map<number, CollectionDocument<N>>;
};

/** The state of the copy. */
interface CopyState {
  /** True until it is known what the device holds. */
  readonly isOpening: boolean;
  /** True once a whole copy is on the screen. */
  readonly isReady: boolean;
  /** How many records the first copy has received; `null` when none is being made. */
  readonly progress: { readonly received: number } | null;
}

const NO_STATUTS: ReadonlyMap<number, Statut> = new Map();
const CLOSED: CopyState = { isOpening: true, isReady: false, progress: null };

const isNews = (shown: number | undefined, revision: number): boolean =>
  shown === undefined || revision > shown || (revision === 0 && shown === 0);

const isTable = (name: CollectionName): name is TableName => name !== 'livres';
export const tableNames: readonly TableName[] = collectionNames.filter(isTable);

/**
 * The records of the copy in use, in memory, which the screens read. One instance lives as long as the
 * page; it is emptied before another reader's copy is opened.
 */
export class Records {
  /** The books, with their open loans, their series and their locations. */
  catalogue = new Catalogue();
  readonly tables = unsafeCast<Tables>(
    Object.fromEntries(tableNames.map((name) => [name, new Map<number, object>()])),
  );
  /** The reader's own statuses, by book. */
  readonly statuts = new Map<number, Statut>();
  copy: CopyState = CLOSED;

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
        isNews(this.#revisions.get(collection)?.get(id), revision),
    );
    const byKind = Map.groupBy(newer, ({ collection }) => collection);
    for (const [kind, some] of byKind) {
      for (const { id, revision } of some) this.#revisions.get(kind)?.set(id, revision);
      if (isTable(kind)) this.#put(kind, some);
      this.#follow(kind, some);
    }
    return new Set(byKind.keys());
  }

  /** Shows the changes of a page, whole. */
  show(changes: readonly Change[]): void {
    this.notify(this.take(changes));
  }

  /** Has any record of a copy be newer than these: what was noted by an earlier visit may be another database's. */
  outdate(changes: Iterable<Change>): void {
    for (const { collection, id } of changes) this.#revisions.get(collection)?.set(id, 0);
  }

  /** Takes records off the screen that no copy holds, so that a page may bring them again. */
  forget(changes: readonly Change[]): void {
    for (const { collection, id } of changes) this.#revisions.get(collection)?.delete(id);
    this.show(changes.map((change) => ({ ...change, revision: 0, document: null })));
  }

  /**
   * Shows what a copy holds, in portions so that the screen stays alive, with one notification at the end.
   *
   * @param isWanted asked before each portion; the rest is left out once it is false
   */
  async showSlowly(
    portions: Iterable<readonly Change[]>,
    pause: () => Promise<void>,
    isWanted: () => boolean,
  ): Promise<void> {
    const kinds = new Set<CollectionName>();
    for (const portion of portions) {
      if (!isWanted()) break;
      for (const kind of this.take(portion)) kinds.add(kind);
      await pause();
    }
    this.notify(kinds);
  }

  /**
   * The changes that bring the records of another copy in place of the shown ones, whose revisions are
   * forgotten: those of another database cannot be compared.
   */
  replacedBy(changes: readonly Change[]): Change[] {
    const kept = new Set(
      changes.flatMap(({ collection, id, document }) =>
        document === null ? [] : [keyOf({ collection, id })],
      ),
    );
    for (const revisions of this.#revisions.values()) revisions.clear();
    const dropped = collectionNames.flatMap((collection) =>
      this.#idsOf(collection)
        .filter((id) => !kept.has(keyOf({ collection, id })))
        .map((id): Change => ({ collection, id, revision: 0, document: null })),
    );
    return [...changes, ...dropped];
  }

  /** Whether a record is shown. */
  holds({ collection, id }: Pick<Change, 'collection' | 'id'>): boolean {
    return isTable(collection)
      ? this.tables[collection].has(id)
      : this.catalogue.livre(id) !== undefined;
  }

  /** The changes for the rows of some books: the books, their open loans and the reader's statuses. */
  changesOf(livreIds: readonly number[]): Change[] {
    const { prets, statuts } = this.tables;
    return livreIds.flatMap((id) => {
      const pret = prets.get(this.catalogue.openPret(id)?.id ?? 0);
      return [
        ...this.#changeOf('livres', this.catalogue.livre(id)),
        ...this.#changeOf('prets', pret),
        ...this.#changeOf('statuts', statuts.get(id)),
      ];
    });
  }

  /** All shown records. */
  allChanges(): Change[] {
    return [
      ...this.livres.flatMap((livre) => this.#changeOf('livres', livre)),
      ...tableNames.flatMap((name) =>
        [...this.tables[name].values()].flatMap((document) => this.#changeOf(name, document)),
      ),
    ];
  }

  #changeOf<N extends CollectionName>(
    collection: N,
    document: CollectionDocument<N> | undefined,
  ): Change[] {
    if (document === undefined) return [];
    const { id } = document;
    const revision = this.revisionOf(collection, id) ?? 0;
    return [unsafeCast<Change>({ collection, id, revision, document })];
  }

  setCopy(copy: Partial<CopyState>): void {
    this.copy = { ...this.copy, ...copy };
    this.notify(['copy']);
  }

  /** Removes the records of every reader. */
  clear(): void {
    for (const name of tableNames) this.tables[name].clear();
    this.statuts.clear();
    this.catalogue = new Catalogue();
    this.#livres = null;
    for (const revisions of this.#revisions.values()) revisions.clear();
    this.copy = CLOSED;
    this.notify([...collectionNames, 'copy']);
  }

  /** Counts the changes of a topic, so that what is derived from it can be kept until the next. */
  version(topic: Topic): number {
    return this.#versions.get(topic) ?? 0;
  }

  /** Calls the listeners of these topics, each once; one that throws is reported, and keeps nothing from the others. */
  notify(topics: Iterable<Topic>): void {
    const told = new Set<() => void>();
    for (const topic of topics) {
      this.#versions.set(topic, this.version(topic) + 1);
      for (const listener of this.#listeners.get(topic) ?? []) told.add(listener);
    }
    for (const listener of told)
      try {
        listener();
      } catch (error) {
        report(error, 'telling what has changed');
      }
  }

  /** Calls `listener` after every change of a topic until the returned function is called. */
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

  /** Keeps the catalogue and the statuses up to date with some kinds. */
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
