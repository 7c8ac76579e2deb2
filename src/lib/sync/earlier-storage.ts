import { Dexie } from 'dexie';
import type { CollectionName } from '#shared/collections';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { keyOf, type Envelope } from './envelope.ts';
import type { Storage } from './ports.ts';
import type { Reader } from './states.ts';

/**
 * The copies of the application's first version: a database for each collection, named
 * `rxdb-dexie-rayonnage-<hash>-<reader>--0--<collection>`. One is shown until a copy of today has
 * taken over, and then deleted.
 */
const named = (reader: Reader) => {
  const whose = reader === null ? '' : encodeURIComponent(reader);
  const pattern = /^rxdb-dexie-rayonnage-([^-]+)-(.*)--0--(.+)$/;
  return (name: string) => {
    const [, hash = '', other, collection = ''] = pattern.exec(name) ?? [];
    return other === whose ? { name, hash, collection } : null;
  };
};

/** The collections of that version. */
const SHARED = ['livres', 'auteurs', 'prets', 'series', 'revues', 'numeros'] as const;
const PERSONAL = ['statuts', 'souhaits', 'souhaits-revues'] as const;

async function databasesOf(reader: Reader) {
  const databases = await indexedDB.databases();
  const ours = named(reader);
  return databases.flatMap(({ name }) => (name === undefined ? [] : (ours(name) ?? [])));
}

/** The first version's copy of a reader's records; `null` where it is not whole. */
export async function openEarlier(reader: Reader): Promise<Storage | null> {
  const databases = await databasesOf(reader);
  const { hash } = databases.find(({ collection }) => collection === 'local') ?? {};
  const own = databases.filter((database) => database.hash === hash);
  if (own.length === 0) return null;
  const rows = new Map<string, readonly Row[]>();
  for (const { name, collection } of own) rows.set(collection, await rowsIn(name));
  const reached = new Set(rows.get('local')?.map(({ cle }) => cle));
  const expected = reader === null ? SHARED : [...SHARED, ...PERSONAL];
  if (expected.some((name) => !reached.has(`jalon:${name}`))) return null;
  const envelopes = expected.flatMap((name) => (rows.get(name) ?? []).flatMap(envelopeIn(name)));
  return {
    read: (receive) => receive(envelopes),
    get: () => Promise.resolve(null),
    write: () => Promise.reject(new Error('an earlier copy is only read')),
    close: () => Promise.resolve(),
  };
}

export async function dropEarlier(reader: Reader): Promise<void> {
  for (const { name } of await databasesOf(reader)) await Dexie.delete(name);
}

type Row = Record<'cle' | '_deleted' | '_meta' | '_rev' | '_attachments', unknown>;

async function rowsIn(name: string): Promise<readonly Row[]> {
  const database = new Dexie(name);
  try {
    await database.open();
    const table = database.tables.find((one) => one.name === 'docs');
    return unsafeCast<Row[]>((await table?.toArray()) ?? []);
  } finally {
    database.close();
  }
}

const envelopeIn =
  (collection: CollectionName) =>
  ({ cle, _deleted, _meta, _rev, _attachments, ...document }: Row): Envelope[] => {
    const key = keyOf(collection, Number(cle));
    return _deleted === '0' ? [{ key, kind: collection, revision: 0, document }] : [];
  };
