import {
  createRxDatabase,
  type RxCollection,
  type RxDatabase,
  type RxStorage,
} from 'rxdb/plugins/core';
import { map, type Observable } from 'rxjs';
import { collectionNames, type CollectionName } from '#shared/collections';
import type { Change } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { changesIn, kindOf, readState, STATE, type Pack, type State } from './packs.ts';

/** An answer of the server that is no record, kept for reading offline. */
export interface Answer {
  readonly key: string;
  /** As JSON. */
  readonly value: string;
  /** When the server gave it, in milliseconds since 1970. */
  readonly time: number;
}

export type Packs = RxCollection<Pack>;
export type Answers = RxCollection<Answer>;

/** One copy of one reader: a new one is filled in a database of its own, beside the one in use. */
export type CopyDatabase = RxDatabase<{ packs: Packs; answers: Answers }>;

const text = { type: 'string' } as const;
const key = { type: 'string', maxLength: 100 } as const;

const packs = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: { id: key, shapes: text, records: text },
  required: ['id', 'shapes', 'records'],
} as const;

const answers = {
  version: 0,
  primaryKey: 'key',
  type: 'object',
  properties: { key, value: text, time: { type: 'number' } },
  required: ['key', 'value', 'time'],
} as const;

/** @param isShared false in memory, where no other tab has it */
export async function openDatabase(
  name: string,
  storage: RxStorage<unknown, unknown>,
  isShared: boolean,
): Promise<CopyDatabase> {
  const options = { name, storage, multiInstance: isShared, eventReduce: false };
  const database = await createRxDatabase(options);
  try {
    await database.addCollections({ packs: { schema: packs }, answers: { schema: answers } });
    return unsafeCast<CopyDatabase>(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The packs that each write brings, of this tab or another. */
export const written$ = (collection: Packs): Observable<readonly Pack[]> =>
  collection.eventBulks$.pipe(
    map(({ events }) => events.map(({ documentData }) => unsafeCast<Pack>(documentData))),
  );

/*
 * What follows asks the collection's storage itself: a query of RxDB waits for ever where the storage fails,
 * and would make and cache an RxDocument for each pack.
 */

/** The packs of some ids that there are. Throws what the storage throws. */
export async function packsOf(
  { storageInstance }: Packs,
  ids: readonly string[],
): Promise<Map<string, Pack>> {
  const found = await storageInstance.findDocumentsById([...ids], false);
  return new Map(found.map((pack) => [pack.id, pack]));
}

/** How far a copy has come; `null` before its first page. */
export async function stateOf(collection: Packs): Promise<State | null> {
  const document = (await packsOf(collection, [STATE])).get(STATE);
  return document === undefined ? null : readState(document);
}

/** The packs that the first screen shows are read first, acts, the longest list, last. */
const KINDS: ReadonlySet<CollectionName> = new Set([
  ...(['livres', 'prets', 'statuts'] as const),
  ...collectionNames.filter((kind) => kind !== 'modifications'),
  'modifications',
]);

/** Hands over all records, those of a kind at a time, a pack being a portion; the first screen's kinds come first. */
export async function readAll(
  collection: Packs,
  receive: (portions: Iterable<readonly Change[]>) => Promise<void>,
): Promise<void> {
  const ids = (await stateOf(collection))?.packs ?? [];
  const byKind = Map.groupBy(ids, (id) => kindOf({ id }));
  for (const kind of KINDS) {
    const found = await packsOf(collection, byKind.get(kind) ?? []);
    if (found.size > 0) await receive(portionsOf(found.values()));
  }
}

/** Parsed one by one, as they are taken. */
function* portionsOf(found: Iterable<Pack>): Generator<readonly Change[]> {
  for (const pack of found) yield changesIn([pack]);
}
