import type { Catalogue } from '#shared/catalogue';
import { collectionNames, type CollectionName } from '#shared/collection-names';
import type { LivreDocument } from '#shared/livres';
import type { Statut } from '#shared/statuts';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { records, tableNames, type Records, type Tables, type Topic } from './records.ts';

/** Svelte's `createSubscriber` would make an effect of each reading, and a list reads a topic once a row. */
class TopicVersion {
  version = $state(0);

  constructor(topic: Topic) {
    records.subscribe(topic, () => (this.version = records.version(topic)));
  }
}

const versions = new Map(
  [...collectionNames, 'replica' as const].map((topic) => [topic, new TopicVersion(topic)]),
);

function read(...topics: readonly Topic[]): Records {
  for (const topic of topics) void versions.get(topic)?.version;
  return records;
}

const own = {
  get livres(): readonly LivreDocument[] {
    return read('livres').livres;
  },
  /** The books with their open loans, series and locations; reading it follows all four. */
  get catalogue(): Catalogue {
    return read('livres', 'prets', 'series', 'emplacements').catalogue;
  },
  get statuts(): ReadonlyMap<number, Statut> {
    return read('statuts').statuts;
  },
  get isOpening(): boolean {
    return read('replica').replica.isOpening;
  },
  /** True once a complete replica is shown, from this visit or an earlier one. */
  get isReady(): boolean {
    return read('replica').replica.isReady;
  },
  get progress(): { readonly received: number } | null {
    return read('replica').replica.progress;
  },
  get epoch(): string {
    return read('replica').replica.epoch;
  },
  /** The revision of a record, for `ifMatch`; `null` where it is not known. */
  revisionOf: (collection: CollectionName, id: number): number | null =>
    read(collection).revisionOf(collection, id),
  count: (collection: CollectionName): number => read(collection).count(collection),
};

/** Plus each other collection's records by id, under its name. */
type Views = typeof own & Omit<Tables, 'statuts'>;

const tables = tableNames.filter((name) => name !== 'statuts');
const all = unsafeCast<Views>(
  Object.defineProperties(
    own,
    Object.fromEntries(tables.map((name) => [name, { get: () => read(name).tables[name] }])),
  ),
);

/** The records in memory; an effect or a template that reads a kind runs again when it changes. */
export const views = (): Views => all;

/** Caches the result of `compute` until one of the kinds that it read changes. */
export function derivedFromViews<T>(compute: () => T): () => T {
  // Wrapped in a new object, since the value may be an index that is modified in place.
  const kept = $derived({ value: compute() });
  return () => kept.value;
}
