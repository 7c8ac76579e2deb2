import {
  addRxPlugin,
  createRxDatabase,
  type RxCollection,
  type RxDatabase,
  type RxStorage,
} from 'rxdb/plugins/core';
import { RxDBLeaderElectionPlugin } from 'rxdb/plugins/leader-election';
import { RxDBLocalDocumentsPlugin } from 'rxdb/plugins/local-documents';
import { map, type Observable } from 'rxjs';
import { collectionNames, type CollectionName } from '#shared/collections';
import type { Change } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { changesIn, kindOf, readState, STATE, type KeptState, type Pack } from './packs.ts';
import type { StoragePort } from './ports.ts';

addRxPlugin(RxDBLeaderElectionPlugin);
addRxPlugin(RxDBLocalDocumentsPlugin);

export type PackCollection = RxCollection<Pack>;

const schema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 100 },
    shapes: { type: 'string' },
    records: { type: 'string' },
  },
  required: ['id', 'shapes', 'records'],
} as const;

/** Which collection of packs holds the copy: a local document, which every tab follows. */
export interface Generations {
  /** How many were begun. */
  readonly count: number;
  /** The whole copy, which the screens show. */
  readonly inUse: string | null;
  /** The collection that is being filled: a first copy, or what will replace `inUse`. */
  readonly next: string | null;
  /** Replaced ones that are still to be removed. */
  readonly gone: readonly string[];
}

/** The identifier of each collection's replication. */
export const REPLICATION = 'journal';

const NONE: Generations = { count: 0, inUse: null, next: null, gone: [] };
const GENERATIONS = 'generations';

/** The packs that the first screen shows are read first, acts, the longest list, last. */
const FIRST_KINDS = ['livres', 'prets', 'statuts'] as const;
const KINDS: ReadonlySet<CollectionName> = new Set([
  ...FIRST_KINDS,
  ...collectionNames.filter((kind) => kind !== 'modifications'),
  'modifications',
]);

/** The RxDatabase of one installation and reader. */
export class CopyDatabase {
  readonly #database: RxDatabase;
  readonly #collections = new Map<string, Promise<PackCollection>>();

  private constructor(database: RxDatabase) {
    this.#database = database;
  }

  /** Opens or makes it. Only a storage that tabs share elects a leader of them. */
  static async open(
    name: string,
    storage: RxStorage<unknown, unknown>,
    { shared }: { readonly shared: boolean },
  ): Promise<CopyDatabase> {
    const options = { name, storage, multiInstance: shared, eventReduce: false };
    return new CopyDatabase(await createRxDatabase({ ...options, localDocuments: true }));
  }

  get name(): string {
    return this.#database.name;
  }

  async generations(): Promise<Generations> {
    return (await this.kept<Generations>(GENERATIONS)) ?? NONE;
  }

  get generations$(): Observable<Generations> {
    return this.#database
      .getLocal$<Generations>(GENERATIONS)
      .pipe(map((document) => document?.toJSON().data ?? NONE));
  }

  async #setGenerations(change: Partial<Generations>): Promise<void> {
    await this.keep(GENERATIONS, { ...(await this.generations()), ...change });
  }

  /**
   * Notes that a collection is being filled, and returns its name, the same in all tabs. It is a new one even
   * where the device has lost the count: RxDB may keep a closed connection of an old name in an open page.
   */
  async beginGeneration(): Promise<string> {
    const count = (await this.generations()).count + 1;
    const next = `packs${String(count)}-${await this.#database.storageToken}`;
    await this.#setGenerations({ count, next });
    return next;
  }

  /** Gives up the one that is being filled. */
  async discardGeneration(): Promise<void> {
    const { next, gone } = await this.generations();
    await this.#setGenerations({ next: null, gone: next === null ? gone : [...gone, next] });
  }

  /** Has a whole collection be the one in use. */
  async useGeneration(name: string): Promise<void> {
    const { inUse, next, gone } = await this.generations();
    const old = [inUse ?? name, next ?? name].filter((each) => each !== name);
    await this.#setGenerations({ inUse: name, next: null, gone: [...gone, ...old] });
  }

  /** Removes replaced collections, which closes them in every tab, and what RxDB leaves behind of them. */
  async removeGone(storage: Pick<StoragePort, 'sweep'>): Promise<void> {
    const { gone } = await this.generations();
    for (const name of gone) {
      const collection = await this.packs(name);
      // One that cannot be emptied would stay open, and its name with it.
      await collection.remove().catch(() => collection.storageInstance.close());
      const hash = await this.#database.hashFunction(`${name}-${REPLICATION}`);
      await storage.sweep(this.name, name);
      await storage.sweep(this.name, `rx-replication-meta-${hash}`);
    }
    if (gone.length > 0) await this.#setGenerations({ gone: [] });
  }

  /** A value of a local document; `null` without one. */
  async kept<T extends object>(key: string): Promise<T | null> {
    const document = await this.#database.getLocal<T>(key);
    return document === null ? null : unsafeCast<T>(document.toJSON().data);
  }

  async keep(key: string, value: object): Promise<void> {
    await this.#database.upsertLocal(key, value);
  }

  async forget(key: string): Promise<void> {
    await (await this.#database.getLocal(key))?.remove();
  }

  /** One of its collections, made where it is not there. */
  packs(name: string): Promise<PackCollection> {
    const opened = this.#collections.get(name) ?? this.#open(name);
    this.#collections.set(name, opened);
    opened.catch(() => this.#collections.delete(name));
    return opened;
  }

  async #open(name: string): Promise<PackCollection> {
    const made = await this.#database.addCollections({ [name]: { schema } });
    const collection = made[name];
    if (collection === undefined) throw new Error(`RxDB has not opened ${name}`);
    collection.onClose.push(() => this.#collections.delete(name));
    return unsafeCast(collection);
  }

  /** Resolved once this tab leads those that share the database. */
  async leadership(): Promise<void> {
    await this.#database.waitForLeadership();
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}

/** The packs that one write has brought, of this tab or another. */
export const writtenPacks = (collection: PackCollection): Observable<readonly Pack[]> =>
  collection.eventBulks$.pipe(
    map(({ events }) => events.map(({ documentData }) => unsafeCast<Pack>(documentData))),
  );

/*
 * What follows asks the collection's storage itself: a query of RxDB waits for ever where the storage fails,
 * and would make and cache an RxDocument for each pack.
 */

/** The packs of some ids that there are. Throws what the storage throws. */
export async function packsOf(
  { storageInstance }: PackCollection,
  ids: readonly string[],
): Promise<Map<string, Pack>> {
  const found = await storageInstance.findDocumentsById([...ids], false);
  return new Map(found.map((pack) => [pack.id, pack]));
}

/** How far a collection has come; `null` before its first page. */
export async function stateOf(collection: PackCollection): Promise<KeptState | null> {
  const document = (await packsOf(collection, [STATE])).get(STATE);
  const state = document && readState(document);
  // One without a list of its packs, of a version that was never released, is filled anew.
  return state !== undefined && 'packs' in state ? state : null;
}

/** Hands over all records, those of a kind at a time, a pack being a portion; the first screen's kinds come first. */
export async function readAll(
  collection: PackCollection,
  receive: (portions: Iterable<readonly Change[]>) => Promise<void>,
): Promise<void> {
  const ids = (await stateOf(collection))?.packs ?? [];
  const byKind = Map.groupBy(ids, (id) => kindOf({ id }));
  for (const kind of KINDS) {
    const packs = await packsOf(collection, byKind.get(kind) ?? []);
    if (packs.size > 0) await receive(portionsOf(packs.values()));
  }
}

/** Parsed one by one, as they are taken. */
function* portionsOf(packs: Iterable<Pack>): Generator<readonly Change[]> {
  for (const pack of packs) yield changesIn([pack]);
}
