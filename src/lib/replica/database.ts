import {
  createRxDatabase,
  type DexieStorageInternals,
  type RxCollection,
  type RxDatabase,
  type RxStorage,
} from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import type { CollectionName } from '#shared/collections';
import { lireEnGros } from './bulk-read.ts';
import { selon } from '../selon.ts';
import { avant } from './delai.ts';
import { empreinte } from './empreinte.ts';
import type { LigneLocale } from './locaux.ts';
import { schemas } from './schema.ts';
import type { Changements } from './vues.ts';

/** A reader's database: a collection for each replica, and `local`. */
export type Base = RxDatabase<Record<CollectionName | 'local', RxCollection>>;

/** How long IndexedDB may take to open before it counts as broken, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Opens a reader's database in IndexedDB. `surPerte` is called when it goes while it is open:
 * deleted by another tab, evicted by the browser.
 */
export async function ouvrirBase(nom: string, surPerte: () => void): Promise<Base> {
  const storage = getRxStorageDexie({
    cache: 'disabled',
    onCreate: (dexie) => {
      lireEnGros(dexie);
      dexie.on('close', surPerte);
    },
  });
  return avant(PATIENCE, ouvrir(nom, storage));
}

/** Opens a database that lasts as long as the page, where IndexedDB cannot be used. */
export async function ouvrirEnMemoire(nom: string): Promise<Base> {
  const { getRxStorageMemory } = await import('rxdb/plugins/storage-memory');
  return ouvrir(nom, getRxStorageMemory());
}

async function ouvrir<I, O>(nom: string, storage: RxStorage<I, O>): Promise<Base> {
  const base: Base = await createRxDatabase({
    name: nom,
    storage,
    multiInstance: true,
    eventReduce: false,
    // The one before may still be closing when a replica is made again.
    closeDuplicates: true,
    hashFunction: (texte) => Promise.resolve(empreinte(JSON.stringify(texte))),
  });
  await base.addCollections(
    Object.fromEntries(Object.entries(schemas).map(([cle, schema]) => [cle, { schema }])),
  );
  return base;
}

/** A row of a Dexie table: the document and RxDB's own fields, `_deleted` being « 0 » or « 1 ». */
type Rangee = Record<'cle' | '_deleted' | '_meta' | '_rev' | '_attachments', unknown>;

/** What a collection holds; `vide` when not even a deleted record has left its mark. */
interface Contenu<N extends CollectionName> {
  readonly documents: Changements<N>;
  readonly vide: boolean;
}

/**
 * Every document of a collection, read from the Dexie table itself: a query of RxDB's takes two
 * to four times as long, and this is what stands between a start and the first painted book.
 */
export async function lireTout<N extends CollectionName>(base: Base, nom: N): Promise<Contenu<N>> {
  const rangees = await lireTable<Rangee>(base[nom]);
  const documents: Changements<N>[number][] = [];
  for (const { cle, _deleted, _meta, _rev, _attachments, ...document } of rangees)
    if (_deleted === '0') documents.push(selon(document));
  return { documents, vide: rangees.length === 0 };
}

export const lireLocal = (base: Base): Promise<LigneLocale[]> => lireTable(base.local);

/** The rows of a collection's table; a database in memory begins without any. */
async function lireTable<T>({ internalStorageInstance }: RxCollection): Promise<T[]> {
  const internes = selon<Promise<Partial<Awaited<DexieStorageInternals>>>>(
    internalStorageInstance.internals,
  );
  const { dexieTable } = await internes;
  return selon<T[]>((await dexieTable?.toArray()) ?? []);
}
