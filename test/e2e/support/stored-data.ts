import type { Page } from 'playwright';

/** All rows, cached API responses and notes that a browser has stored. */
export const allStoredData = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const answer = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB gave no reason'));
      });
    const rows: string[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await answer(indexedDB.open(name));
      for (const table of database.objectStoreNames) {
        const keys = await answer(database.transaction(table).objectStore(table).getAllKeys());
        rows.push(...keys.map((key) => `${name} ${table} ${JSON.stringify(key)}`));
      }
      database.close();
    }
    for (const cache of await caches.keys()) {
      const requests = await (await caches.open(cache)).keys();
      rows.push(...requests.map(({ url }) => url).filter((url) => url.includes('/api/')));
    }
    for (const storage of [localStorage, sessionStorage])
      rows.push(...Object.entries(storage).map((entry) => JSON.stringify(entry)));
    return rows;
  });

/** Everything stored by a browser that contains a name: notes, session storage, databases, cached addresses. */
export const storedDataWith = (page: Page, name: string): Promise<string[]> =>
  page.evaluate(async (named) => {
    const answer = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB gave no reason'));
      });
    const rowsIn = async (database: string) => {
      const opening = indexedDB.open(database);
      // A database that was deleted since must not be created again.
      opening.onupgradeneeded = () => opening.transaction?.abort();
      const opened = await answer(opening).catch(() => null);
      if (opened === null) return [];
      const rows: unknown[] = [database];
      for (const table of opened.objectStoreNames) {
        const store = opened.transaction(table).objectStore(table);
        const [keys, values] = [answer(store.getAllKeys()), answer(store.getAll())];
        rows.push([database, table, await keys, await values]);
      }
      opened.close();
      return rows;
    };
    const all: unknown[] = [...Object.entries(localStorage), ...Object.entries(sessionStorage)];
    for (const { name: database = '' } of await indexedDB.databases())
      all.push(...(await rowsIn(database)));
    for (const cache of await caches.keys())
      all.push(...(await (await caches.open(cache)).keys()).map(({ url }) => url));
    return all.map((one) => JSON.stringify(one)).filter((text) => text.includes(named));
  }, name);

/** When the replica was last in sync and stored. A change is on the screen before that. */
export const syncedAt = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const notes = Object.entries(localStorage).filter(([key]) => key.includes('equal.'));
    return Math.max(...notes.map(([, date]) => Number(date)));
  });
