import { answerOf, openIndexedDb, written } from '../indexed-db.ts';
import type { StoredKeys, ThumbnailScope } from './keeper.ts';

/**
 * One database for each installation, written by pages and read by the service worker; IndexedDB rather than Cache
 * Storage, see docs/decisions/0014. All readers share the household's pictures.
 */
// The stored name.
const HOUSEHOLD = 'house';
const OWN = 'own';
const STATE = 'state';

/** The key of `state` for the present reader. */
const READER = 'reader';

const KEYS_AT_A_TIME = 500;

/** The thumbnails on this device; every method may throw IndexedDB's errors. */
export class ThumbnailStore {
  readonly #name: string;
  #opened: Promise<IDBDatabase> | null = null;

  constructor(installation: string) {
    this.#name = `rayonnage|thumbnails|${encodeURIComponent(installation)}`;
  }

  /** Notes who reads: `read` finds only this reader's own thumbnails. */
  async setReader(reader: string | null): Promise<void> {
    const transaction = (await this.#open()).transaction(STATE, 'readwrite');
    transaction.objectStore(STATE).put(reader, READER);
    await written(transaction);
  }

  /** The picture of a household's record or of the reader's own wish; `null` without one. */
  async read(cle: string): Promise<ArrayBuffer | null> {
    const transaction = (await this.#open()).transaction([HOUSEHOLD, OWN, STATE]);
    const shared = await answerOf<unknown>(transaction.objectStore(HOUSEHOLD).get(cle));
    if (shared instanceof ArrayBuffer) return shared;
    const reader = await answerOf<unknown>(transaction.objectStore(STATE).get(READER));
    if (typeof reader !== 'string') return null;
    const own = await answerOf<unknown>(transaction.objectStore(OWN).get([reader, cle]));
    return own instanceof ArrayBuffer ? own : null;
  }

  async keys(reader: string | null): Promise<StoredKeys> {
    const transaction = (await this.#open()).transaction([HOUSEHOLD, OWN]);
    const [household, own] = await Promise.all([
      keysWithin(transaction.objectStore(HOUSEHOLD), '', []),
      reader === null
        ? new Set<string>()
        : keysWithin(transaction.objectStore(OWN), [reader, ''], [reader, []]),
    ]);
    return { household, own };
  }

  async put(scope: ThumbnailScope, pictures: ReadonlyMap<string, ArrayBuffer>): Promise<void> {
    const [name, keyOf] = storeOf(scope);
    const transaction = (await this.#open()).transaction(name, 'readwrite');
    const store = transaction.objectStore(name);
    for (const [cle, bytes] of pictures) store.put(bytes, keyOf(cle));
    await written(transaction);
  }

  async remove(scope: ThumbnailScope, cles: Iterable<string>): Promise<void> {
    const [name, keyOf] = storeOf(scope);
    const transaction = (await this.#open()).transaction(name, 'readwrite');
    const store = transaction.objectStore(name);
    for (const cle of cles) store.delete(keyOf(cle));
    await written(transaction);
  }

  /**
   * Removes a reader's own pictures, and the present reader if it is this one.
   *
   * @param isLast whether no other replica is on the device: removes the household's pictures as well
   */
  async forget(reader: string | null, isLast: boolean): Promise<void> {
    const transaction = (await this.#open()).transaction([HOUSEHOLD, OWN, STATE], 'readwrite');
    if (isLast) transaction.objectStore(HOUSEHOLD).clear();
    if (reader !== null)
      transaction.objectStore(OWN).delete(IDBKeyRange.bound([reader, ''], [reader, []]));
    const state = transaction.objectStore(STATE);
    if ((await answerOf<unknown>(state.get(READER))) === reader) state.delete(READER);
    await written(transaction);
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = null;
    (await opened)?.close();
  }

  /** Opens the database; after a failure the next call tries again. */
  #open(): Promise<IDBDatabase> {
    const onClosed = () => void (this.#opened = null);
    this.#opened ??= openIndexedDb(this.#name, [HOUSEHOLD, OWN, STATE], onClosed).catch(
      (error: unknown) => {
        onClosed();
        throw error;
      },
    );
    return this.#opened;
  }
}

const storeOf = (scope: ThumbnailScope): [name: string, keyOf: (cle: string) => IDBValidKey] =>
  scope === 'household' ? [HOUSEHOLD, (cle) => cle] : [OWN, (cle) => [scope.reader, cle]];

/** The picture's key: the last part of a compound key. */
function cleOf(key: IDBValidKey): string {
  const cle: unknown = Array.isArray(key) ? key.at(-1) : key;
  return typeof cle === 'string' ? cle : '';
}

/** In portions, since ten thousand at once would freeze a phone's screen; an array sorts after every string. */
async function keysWithin(
  store: IDBObjectStore,
  from: IDBValidKey,
  to: IDBValidKey,
): Promise<Set<string>> {
  const found = new Set<string>();
  let range = IDBKeyRange.bound(from, to, false, true);
  for (;;) {
    const keys = await answerOf(store.getAllKeys(range, KEYS_AT_A_TIME));
    for (const key of keys) found.add(cleOf(key));
    const last = keys.at(-1);
    if (last === undefined || keys.length < KEYS_AT_A_TIME) return found;
    range = IDBKeyRange.bound(last, to, true, true);
  }
}
