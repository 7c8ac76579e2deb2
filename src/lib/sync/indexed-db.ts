/** IndexedDB by promises, for what is read before RxDB brings Dexie along, and for the service worker, which has neither. */

/** What a request answers, or the error that it ends with. */
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
 * Opens a database, which gives way to whoever deletes it or changes its tables.
 *
 * @param tables those of a database that is not there yet; without them it is not made, and this throws
 * @param onClosed called once it is closed, but by its caller
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
