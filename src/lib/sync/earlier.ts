import { Dexie } from 'dexie';
import type { CollectionName } from '#shared/collections';
import type { Change, Checkpoint } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { keyOf } from './records.ts';
import type { Reader } from './status.ts';

/*
 * What versions 0.1 and 1.0 of the application have kept, in databases of other shapes: it becomes a copy of
 * today's, and is deleted then.
 */

/** A complete copy of an earlier version, and how far it had come. */
export interface EarlierCopy {
  readonly checkpoint: Checkpoint;
  readonly changes: readonly Change[];
}

/** Of version 0.1, which kept a checkpoint for each collection: no database knows it, so that all is asked for anew. */
const NO_CHECKPOINT: Checkpoint = { epoque: 'none', revision: 0 };

/** What a reader has kept by the latest version that left something complete; `null` without any. */
export async function readEarlier(base: string, reader: Reader): Promise<EarlierCopy | null> {
  const names = await allNames();
  for (const name of names.filter(isEnvelopes(base, reader)).toSorted(byNumber).toReversed()) {
    const copy = copyInEnvelopes(await rowsIn<Envelope>(name));
    if (copy !== null) return copy;
  }
  // Version 0.1 lived at the root alone.
  const changes = base === '' ? await readCollections(names, reader) : null;
  return changes && { checkpoint: NO_CHECKPOINT, changes };
}

/** Whether a database is one that those versions have kept of a reader. */
export function isEarlier(base: string, reader: Reader): (name: string) => boolean {
  const kept = ['rayonnage|kept', encodeURIComponent(base), encodeURIComponent(reader ?? '')];
  const [isSecond, firstOf] = [isEnvelopes(base, reader), firstVersionOf(reader)];
  return (name) =>
    isSecond(name) || name === kept.join('|') || (base === '' && firstOf(name) !== null);
}

export async function allNames(): Promise<string[]> {
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

/** A row of version 1.0: a record, a pack of changes, or the checkpoint. */
export interface Envelope {
  readonly key: string;
  readonly kind: CollectionName | 'pack' | 'checkpoint' | 'snapshot';
  readonly revision: number;
  readonly document: object | null;
}

/** A copy of version 1.0, of two rows that hold one record the later; `null` where it is not complete. */
export function copyInEnvelopes(rows: readonly Envelope[]): EarlierCopy | null {
  const document = rows.find(({ kind }) => kind === 'checkpoint')?.document ?? null;
  const kept = unsafeCast<(Partial<Checkpoint> & { whole: boolean }) | null>(document);
  if (kept?.whole !== true) return null;
  const { epoque, revision } = { ...NO_CHECKPOINT, ...kept };
  const latest = new Map<string, Change>();
  for (const change of rows.flatMap(changesInEnvelope)) {
    const key = keyOf(change);
    if ((latest.get(key)?.revision ?? -1) <= change.revision) latest.set(key, change);
  }
  return { checkpoint: { epoque, revision }, changes: [...latest.values()] };
}

function changesInEnvelope({ key, kind, revision, document }: Envelope): Change[] {
  if (kind === 'checkpoint' || kind === 'snapshot') return [];
  if (kind !== 'pack') {
    const id = Number(key.slice(kind.length + 1));
    return [unsafeCast<Change>({ collection: kind, id, revision, document })];
  }
  const pack = unsafeCast<{ text: string } | { changes: Change[] }>(document);
  return 'text' in pack
    ? unsafeCast<{ changes: Change[] }>(JSON.parse(pack.text)).changes
    : pack.changes;
}

/** Version 0.1: a database for each collection, `rxdb-dexie-rayonnage-<hash>-<reader>--0--<collection>`. */
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
): Promise<readonly Change[] | null> {
  const databases = names.flatMap((name) => firstVersionOf(reader)(name) ?? []);
  const { hash } = databases.find(({ collection }) => collection === 'local') ?? {};
  const own = databases.filter((database) => database.hash === hash);
  if (own.length === 0) return null;
  const rows = new Map<string, readonly Row[]>();
  for (const { name, collection } of own) rows.set(collection, await rowsIn<Row>(name));
  const reached = new Set(rows.get('local')?.map(({ cle }) => cle));
  const expected = reader === null ? SHARED : [...SHARED, ...PERSONAL];
  if (expected.some((name) => !reached.has(`jalon:${name}`))) return null;
  return expected.flatMap((name) => (rows.get(name) ?? []).flatMap(changeIn(name)));
}

const changeIn =
  (collection: CollectionName) =>
  ({ cle, _deleted, _meta, _rev, _attachments, ...document }: Row): Change[] =>
    _deleted === '0'
      ? [unsafeCast<Change>({ collection, id: Number(cle), revision: 0, document })]
      : [];
