import {
  createRxDatabase,
  type RxCollection,
  type RxDatabase,
  type RxStorage,
} from 'rxdb/plugins/core';
import { map, type Observable } from 'rxjs';
import { unsafeCast } from '../api/unsafe-cast.ts';
import type { Pack } from './packs.ts';

/** A cached response of the server other than a record. */
export interface Answer {
  readonly key: string;
  /** The value as JSON. */
  readonly value: string;
  /** The time of the response, in milliseconds since 1970. */
  readonly time: number;
}

export type Packs = RxCollection<Pack>;
export type Answers = RxCollection<Answer>;

/** A replica of one reader: a new one is filled in a separate database beside the active one. */
export type ReplicaDatabase = RxDatabase<{ packs: Packs; answers: Answers }>;

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

/** @param isShared false for a database in memory, which other tabs cannot see */
export async function openDatabase(
  name: string,
  storage: RxStorage<unknown, unknown>,
  isShared: boolean,
): Promise<ReplicaDatabase> {
  const options = { name, storage, multiInstance: isShared, eventReduce: false };
  const database = await createRxDatabase(options);
  try {
    await database.addCollections({ packs: { schema: packs }, answers: { schema: answers } });
    return unsafeCast<ReplicaDatabase>(database);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Emits the packs of each write, by this tab or another. */
export const written$ = (collection: Packs): Observable<readonly Pack[]> =>
  collection.eventBulks$.pipe(
    map(({ events }) => events.map(({ documentData }) => unsafeCast<Pack>(documentData))),
  );
