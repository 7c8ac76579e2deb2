import PouchDB from 'pouchdb-browser';
import { createRxDatabase } from 'rxdb/plugins/core';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import type { Checkpoint, ChangePage } from '#shared/replication';
import type { PagePeers } from '../support/page-peers.ts';

/** What others need for the same first copy, measured inside a page. */
export const peers: PagePeers = { pullByPouchDb, pullByRxDb };

/** Milliseconds until PouchDB has all of the database `livres` of the page's own origin. */
async function pullByPouchDb(count: number, batch: number): Promise<number> {
  const copy = new PouchDB('copy');
  const begin = performance.now();
  await copy.replicate.from(`${location.origin}/livres`, { batch_size: batch });
  const time = performance.now() - begin;
  requireAll((await copy.info()).doc_count, count);
  await copy.destroy();
  return time;
}

/** Milliseconds until RxDB, as its documentation has it used, has all books of this service. */
async function pullByRxDb(
  fields: readonly string[],
  count: number,
  batch: number,
): Promise<number> {
  const database = await createRxDatabase({ name: 'as-it-comes', storage: getRxStorageDexie() });
  const { livres } = await database.addCollections({
    livres: {
      schema: {
        version: 0,
        type: 'object',
        primaryKey: 'id',
        properties: {
          ...Object.fromEntries(fields.map((field) => [field, {}])),
          id: { type: 'string', maxLength: 12 },
        },
      },
    },
  });
  const begin = performance.now();
  const replication = replicateRxCollection<{ id: string }, Checkpoint>({
    collection: livres,
    replicationIdentifier: 'bench',
    live: false,
    pull: { batchSize: batch, handler: (from) => pull(from, batch) },
  });
  await replication.awaitInitialReplication();
  const time = performance.now() - begin;
  requireAll(await livres.count().exec(), count);
  await database.remove();
  return time;
}

/** As many books as a batch has: RxDB takes a smaller one for the last. */
async function pull(from: Checkpoint | undefined, batch: number) {
  const documents: { id: string; _deleted: boolean }[] = [];
  let checkpoint = from;
  for (;;) {
    const after = checkpoint
      ? `&epoque=${checkpoint.epoque}&revision=${String(checkpoint.revision)}`
      : '';
    const response = await fetch(`/api/replication?limite=${String(batch)}${after}`);
    const { changements, epoque, revision, complet } = (await response.json()) as ChangePage;
    checkpoint = { epoque, revision };
    for (const { collection, document } of changements)
      if (collection === 'livres' && document !== null)
        documents.push({ ...document, id: String(document.id), _deleted: false });
    if (complet || documents.length >= batch) return { documents, checkpoint };
  }
}

function requireAll(copied: number, count: number): void {
  if (copied !== count) throw new Error(`${String(copied)} of ${String(count)} books were copied`);
}
