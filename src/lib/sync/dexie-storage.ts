import { Dexie, type Table } from 'dexie';
import {
  getBooleanIndexes,
  getDexieStoreSchema,
  getRxStorageDexie,
  RxStorageInstanceDexie,
} from 'rxdb/plugins/storage-dexie';
import { collectionNames } from '#shared/collections';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { CHECKPOINT, type Envelope } from './envelope.ts';
import { Failure } from './failure.ts';
import type { Storage } from './ports.ts';
import { envelopeSchema, instanceParams, RxEnvelopes, unpacked, type Row } from './rx-storage.ts';

// In the same file of the build: a first visit looks for such a copy before it pulls its own.
export { dropEarlier, openEarlier } from './earlier-storage.ts';

/** The names of our databases among those of the origin. */
const PREFIX = 'rayonnage|';

/** The kinds that the catalogue shows: they are painted before the rest is read. */
const FIRST_KINDS: readonly string[] = ['livres', 'prets', 'statuts'];
/** The longest list, which no screen of the books shows. */
const LAST_KIND = 'modifications';
const OTHER_KINDS: readonly string[] = [
  ...collectionNames.filter((kind) => ![...FIRST_KINDS, LAST_KIND].includes(kind)),
  'snapshot',
];

const rxStorage = getRxStorageDexie();

/** Relaxed durability: what a power cut takes is pulled from the server again. */
const OPTIONS = {
  autoOpen: false,
  cache: 'disabled',
  chromeTransactionDurability: 'relaxed',
} as const;

/**
 * Opens or makes a database of envelopes in IndexedDB. It is opened here and handed to RxDB, which
 * would remember a failed opening for as long as the page lives.
 */
export async function openInIndexedDb(name: string, onLost: () => void): Promise<Storage> {
  const dexieDb = new Dexie(PREFIX + name, OPTIONS);
  dexieDb.version(1).stores({
    docs: getDexieStoreSchema(envelopeSchema),
    changes: '++sequence, id',
    attachments: 'id',
  });
  // Another tab deletes it, or a later version needs other tables: neither may wait for this tab.
  dexieDb.on('versionchange', () => dexieDb.close());
  // Dexie fires it for our own closing too.
  let isOurs = true;
  dexieDb.on('close', () => {
    if (isOurs) onLost();
    isOurs = false;
  });
  await dexieDb.open();
  const dexieTable = dexieDb.table<Row, string>('docs');
  const dexieAttachmentsTable = dexieDb.table('attachments');
  const booleanIndexes = getBooleanIndexes(envelopeSchema);
  const instance = new RxStorageInstanceDexie<Envelope>(
    rxStorage,
    name,
    instanceParams(name).collectionName,
    envelopeSchema,
    Promise.resolve({ dexieDb, dexieTable, dexieAttachmentsTable, booleanIndexes }),
    {},
    {},
    false,
  );
  const reader = {
    all: (receive: (rows: readonly Row[]) => Promise<void>) => readAll(dexieTable, receive),
    one: (key: string) => dexieTable.get(key),
  };
  const storage = full(new RxEnvelopes(instance, reader));
  return {
    ...storage,
    close: () => {
      isOurs = false;
      return storage.close();
    },
  };
}

/** How many single rows and how many packs are read at a time: milliseconds on a slow phone. */
const PORTION = 1_000;
const PACKS = 8;

async function readAll(
  table: Table<Row, string>,
  receive: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const checkpoint = table.where('key').equals(CHECKPOINT).toArray();
  const first = await Promise.all([
    checkpoint,
    ...FIRST_KINDS.map((kind) => readKind(table, kind)),
  ]);
  await receive(first.flat());
  const rest = await Promise.all(OTHER_KINDS.map((kind) => readKind(table, kind)));
  await receive(rest.flat());
  await receive(await readKind(table, LAST_KIND));
}

async function readKind(table: Table<Row, string>, kind: string): Promise<Row[]> {
  const [packs, rows] = await Promise.all([
    readRange(table, `pack/${kind}/`, PACKS),
    readRange(table, `${kind}/`, PORTION),
  ]);
  return [...packs, ...rows];
}

async function readRange(table: Table<Row, string>, prefix: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let from = prefix;
  for (;;) {
    const range = table.where('key').between(from, `${prefix}\uffff`, false);
    const portion = await range.limit(limit).toArray();
    rows.push(...portion.map(unpacked));
    const last = portion.at(-1);
    if (portion.length < limit || last === undefined) return rows;
    from = last.key;
  }
}

/** Names the failure of a full device. */
function full(storage: Storage): Storage {
  return {
    read: (receive) => storage.read(receive),
    get: (key) => storage.get(key),
    close: () => storage.close(),
    write: (envelopes) =>
      storage.write(envelopes).catch((error: unknown) => {
        throw isQuota(error) ? new Failure('storageFull', error) : error;
      }),
  };
}

/** Dexie wraps the browser's error once or twice. */
function isQuota(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('name' in error && error.name === 'QuotaExceededError') return true;
  const { inner, failures = [] } = unsafeCast<{ inner?: unknown; failures?: unknown[] }>(error);
  return [inner, ...failures].some(isQuota);
}

export const dropFromIndexedDb = (name: string): Promise<void> => Dexie.delete(PREFIX + name);

/** The names of our databases, without the prefix. */
export async function namesInIndexedDb(): Promise<string[]> {
  const databases = await indexedDB.databases();
  return databases.flatMap(({ name }) =>
    name?.startsWith(PREFIX) ? name.slice(PREFIX.length) : [],
  );
}
