import type { RxCollection } from 'rxdb';
import type { CollectionName } from '#shared/collections';
import { LIMITE_MAXIMUM, tirer, type Jalon } from '#shared/replication';
import { call } from '../api/call.ts';
import { cle } from './schema.ts';

/** How long one page may take on a slow network, in milliseconds. */
const DELAI = 60_000;

/** What the pull of a collection needs of the replica that it feeds. */
export interface Cible {
  readonly collection: RxCollection;
  /** Gives the pull up. */
  readonly signal: AbortSignal;
  /** How far the collection has come, `null` before its first page. */
  jalon(): Jalon | null;
  /** True where the replica has this record: tells a new document from a changed one. */
  readonly connait: (id: number) => boolean;
  /** Called with each page before it is written; throws where it must not be. */
  verifier(): Promise<void>;
  /** Keeps how far the collection has come, and how many documents that brought. */
  garder(jalon: Jalon, documents: number): Promise<void>;
}

/**
 * Brings one collection up to the server, page by page from its checkpoint. A page is written
 * before its checkpoint is, so that an interrupted pull only fetches a page twice; the next page is
 * on its way meanwhile.
 */
export async function tirerCollection(nom: CollectionName, cible: Cible): Promise<void> {
  let jalon = cible.jalon();
  let enRoute = demander(nom, jalon, cible.signal);
  for (;;) {
    const page = await enRoute;
    const derniere = page.documents.length < LIMITE_MAXIMUM;
    if (!derniere) enRoute = demander(nom, page.jalon, cible.signal);
    // Where writing fails first, nobody waits for it any more.
    enRoute.catch(() => undefined);
    await cible.verifier();
    const presents = await ecrire(cible, page.documents);
    if (page.jalon.revision !== jalon?.revision || page.jalon.epoque !== jalon.epoque)
      await cible.garder(page.jalon, presents);
    if (derniere) return;
    jalon = page.jalon;
  }
}

const demander = (nom: CollectionName, jalon: Jalon | null, signal: AbortSignal) =>
  call(tirer, {
    params: { collection: nom },
    query: { ...jalon, limite: LIMITE_MAXIMUM },
    signal,
    delai: DELAI,
  });

interface Tire {
  readonly id: number;
  readonly _deleted: boolean;
}

/** Writes a page; gives how many of its documents are no deletions. */
async function ecrire({ collection, connait }: Cible, documents: readonly Tire[]): Promise<number> {
  const disparus = documents.filter(({ _deleted }) => _deleted).map(({ id }) => cle(id));
  const presents = documents
    .filter(({ _deleted }) => !_deleted)
    .map((document) => ({ ...document, cle: cle(document.id) }));
  const nouveaux = presents.filter(({ id }) => !connait(id));
  const connus = presents.filter(({ id }) => connait(id));
  // An insertion makes no RxDocument of each, as an upsert does: half the time of a first pull.
  const { error } = await collection.bulkInsert(nouveaux);
  const autres = new Set(error.map(({ documentId }) => documentId));
  const { error: refuses } = await collection.bulkUpsert([
    ...connus,
    ...nouveaux.filter((document) => autres.has(document.cle)),
  ]);
  if (refuses[0]) throw new Error(`RxDB did not take ${refuses[0].documentId}`);
  await collection.bulkRemove(disparus);
  return presents.length;
}
