/** Promises for IndexedDB, used before RxDB loads Dexie, and by the service worker. */

/** The result of a request; rejects with its error. */
export const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(failureOf(request.error));
  });

/** Until a transaction is written: a full disk aborts it after all of its requests have succeeded. */
export const written = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(failureOf(transaction.error));
  });

const failureOf = (error: DOMException | null): Error =>
  error ?? new DOMException('IndexedDB gave no reason', 'UnknownError');

/**
 * Opens a database, which closes when another context deletes or upgrades it.
 *
 * @param tables created with a new database; without them a missing database is not created, and this throws
 * @param onClosed called when it is closed by anyone else
 */
export async function openIndexedDb(
  name: string,
  tables: readonly string[] = [],
  onClosed: () => void = () => undefined,
): Promise<IDBDatabase> {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => {
    if (tables.length === 0) request.transaction?.abort();
    for (const table of tables) request.result.createObjectStore(table);
  };
  const database = await answerOf(request);
  database.onclose = onClosed;
  database.onversionchange = () => {
    database.close();
    onClosed();
  };
  return database;
}
