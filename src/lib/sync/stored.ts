import { unsafeCast } from '../api/unsafe-cast.ts';
import { answerOf, openIndexedDb } from './indexed-db.ts';
import type { Pack, PackSource } from './packs.ts';

/** The prefix of the databases in the storage: one for each collection of an RxDatabase. */
export const DEXIE = 'rxdb-dexie-';

/** The packs of an existing database, until it is closed. */
export interface StoredPacks extends PackSource {
  close(): void;
}

/**
 * The packs of a replica in RxDB's storage format: a start shows them while RxDB is loading. If a later RxDB changes
 * the format nothing is found, and a start waits for RxDB.
 *
 * @param name of the RxDatabase
 * @returns `null` without one
 */
export async function openStored(name: string): Promise<StoredPacks | null> {
  const database = await openIndexedDb(`${DEXIE}${name}--0--packs`).catch(() => null);
  if (database === null) return null;
  const findDocumentsById = (ids: readonly string[]): Promise<readonly Pack[]> => {
    const documents = database.transaction('docs').objectStore('docs');
    const asked = ids.map((id) => answerOf(documents.get(id)));
    return Promise.all(asked).then((found) => found.filter(isPack));
  };
  return { storageInstance: { findDocumentsById }, close: () => database.close() };
}

const isPack = (found: unknown): found is Pack =>
  found !== undefined && typeof unsafeCast<Partial<Pack>>(found).records === 'string';
