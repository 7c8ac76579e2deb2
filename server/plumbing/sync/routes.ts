import type { FastifyInstance } from 'fastify';
import type { Query, Response } from '#shared/endpoint';
import { Refusal } from '#shared/refusals';
import { DEFAULT_LIMIT, pullChanges } from '#shared/replication';
import type { Database } from '#server/plumbing/database/database';
import type { Journal } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import { mount } from '#server/plumbing/http/mount';
import { readModifications, readPage, type Changes } from './changes.ts';
import { isTooOld, readCursor, toCheckpoint, type Cursor } from './cursor.ts';
import { eventRoutes } from './events.ts';

/** Replication (docs/rules.md § 28). */
export const syncRoutes = (
  app: FastifyInstance,
  context: { records: Records<Database>; journal: Journal },
): void => {
  mount(app, pullChanges, ({ query, utilisateur }) => pull(context.records, utilisateur, query));
  eventRoutes(app, context.records.database, context.journal);
};

/**
 * One page of what a caller may read. The last page's checkpoint is the database's own, whoever made
 * the latest changes.
 */
function pull(
  records: Records<Database>,
  utilisateur: string | null,
  { limite = DEFAULT_LIMIT, modifications = false, ...checkpoint }: Query<typeof pullChanges>,
): Response<typeof pullChanges> {
  const { database } = records;
  return database.read(() => {
    const cursor = readCursor(database, utilisateur, checkpoint);
    const { revision: after, sharedAfter } = cursor;
    const extent = { utilisateur, after, sharedAfter, limit: limite };
    const { changes, more } = readPage(records, extent);
    const last = changes.at(-1);
    const reached =
      more && last !== undefined
        ? { ...cursor, revision: last.revision }
        : { ...cursor, revision: database.revision(), sharedAfter: 0, start: 0 };
    const acts = { limit: limite - changes.length, isWanted: modifications && !more };
    const page = addModifications(records, utilisateur, reached, acts);
    const { epoque, revision } = toCheckpoint(database, utilisateur, page.cursor);
    const changements = [...changes, ...page.changes];
    return { epoque, utilisateur, changements, revision, complet: !more && !page.more };
  });
}

/** The acts that a page has room for, where they are wanted, and how far they bring the copy. */
function addModifications(
  records: Records<Database>,
  utilisateur: string | null,
  cursor: Cursor,
  { limit, isWanted }: { readonly limit: number; readonly isWanted: boolean },
): Changes & { readonly cursor: Cursor } {
  if (!isWanted) return { changes: [], more: false, cursor };
  const { after, start } = cursor.modifications;
  if (after > 0 && isTooOld(records.database, after, start)) throw new Refusal('EPOQUE_PERIMEE');
  const { changes, more } = readModifications(records, { utilisateur, after, start, limit });
  const modifications = more
    ? { after: changes.at(-1)?.revision ?? after, start }
    : { after: records.database.revision(), start: 0 };
  return { changes, more, cursor: { ...cursor, modifications } };
}
