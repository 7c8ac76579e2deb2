import { Dexie } from 'dexie';
import type { CollectionName } from '#shared/collections';
import type { Change } from '#shared/replication';
import { unsafeCast } from '../../api/unsafe-cast.ts';
import { copyInEnvelopes, type Envelope } from '../envelopes.ts';
import type { EarlierCopy } from '../ports.ts';
import type { Reader } from '../status.ts';

/*
 * What earlier versions of the application have kept, in databases of other shapes: read once, and deleted
 * when today's copy holds it.
 */

/** What a reader has kept by the latest version that left something whole; `null` without any. */
export async function readEarlier(base: string, reader: Reader): Promise<EarlierCopy | null> {
  const names = await allNames();
  for (const name of names.filter(isEnvelopes(base, reader)).toSorted(byNumber).toReversed()) {
    const copy = copyInEnvelopes(await rowsIn<Envelope>(name));
    if (copy !== null) return copy;
  }
  // The first version lived at the root alone.
  return base === '' ? readCollections(names, reader) : null;
}

/** Deletes what earlier versions have kept of a reader. */
export async function dropEarlier(base: string, reader: Reader): Promise<void> {
  const kept = ['kept', base, reader ?? ''].map(encodeURIComponent).join('|');
  const isFirst = firstVersionOf(reader);
  for (const name of await allNames())
    if (
      isEnvelopes(base, reader)(name) ||
      name === `rayonnage|${kept}` ||
      (base === '' && isFirst(name) !== null)
    )
      await Dexie.delete(name);
}

async function allNames(): Promise<string[]> {
  const databases = await indexedDB.databases();
  return databases.flatMap(({ name }) => name ?? []);
}

async function rowsIn<T>(name: string): Promise<readonly T[]> {
  const database = new Dexie(name);
  try {
    await database.open();
    const table = database.tables.find((one) => one.name === 'docs');
    return unsafeCast<T[]>((await table?.toArray()) ?? []);
  } finally {
    database.close();
  }
}

/** Version 1.0: one database a copy, named after installation, reader, shapes and a number. */
const isEnvelopes = (base: string, reader: Reader) => {
  const prefix = ['rayonnage|copy', encodeURIComponent(base), encodeURIComponent(reader ?? '')];
  return (name: string): boolean => name.startsWith(`${prefix.join('|')}|`);
};

const byNumber = (a: string, b: string): number => numberIn(a) - numberIn(b);
const numberIn = (name: string): number => Number(name.split('|').at(-1));

/** The first version: a database for each collection, `rxdb-dexie-rayonnage-<hash>-<reader>--0--<collection>`. */
const firstVersionOf = (reader: Reader) => {
  const whose = reader === null ? '' : encodeURIComponent(reader);
  const pattern = /^rxdb-dexie-rayonnage-([^-]+)-(.*)--0--(.+)$/;
  return (name: string) => {
    const [, hash = '', other, collection = ''] = pattern.exec(name) ?? [];
    return other === whose ? { name, hash, collection } : null;
  };
};

const SHARED = ['livres', 'auteurs', 'prets', 'series', 'revues', 'numeros'] as const;
const PERSONAL = ['statuts', 'souhaits', 'souhaits-revues'] as const;

type Row = Record<'cle' | '_deleted' | '_meta' | '_rev' | '_attachments', unknown>;

async function readCollections(
  names: readonly string[],
  reader: Reader,
): Promise<EarlierCopy | null> {
  const databases = names.flatMap((name) => firstVersionOf(reader)(name) ?? []);
  const { hash } = databases.find(({ collection }) => collection === 'local') ?? {};
  const own = databases.filter((database) => database.hash === hash);
  if (own.length === 0) return null;
  const rows = new Map<string, readonly Row[]>();
  for (const { name, collection } of own) rows.set(collection, await rowsIn<Row>(name));
  const reached = new Set(rows.get('local')?.map(({ cle }) => cle));
  const expected = reader === null ? SHARED : [...SHARED, ...PERSONAL];
  if (expected.some((name) => !reached.has(`jalon:${name}`))) return null;
  const changes = expected.flatMap((name) => (rows.get(name) ?? []).flatMap(changeIn(name)));
  return { changes, checkpoint: null };
}

const changeIn =
  (collection: CollectionName) =>
  ({ cle, _deleted, _meta, _rev, _attachments, ...document }: Row): Change[] =>
    _deleted === '0'
      ? [unsafeCast<Change>({ collection, id: Number(cle), revision: 0, document })]
      : [];
