import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { collectionNames } from '#shared/collection-names';
import { collections } from '#shared/collections';
import type { Query } from '#shared/endpoint';
import { Refusal, champRefusal } from '#shared/refusals';
import { DEFAULT_LIMIT, pullChanges, type Checkpoint } from '#shared/replication';
import type { Database } from '#server/plumbing/database/database';
import {
  type Journal,
  SELECT_LINES,
  toLine,
  type JournalLine,
  type JournalRow,
} from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';
import { turnsApart } from '#server/plumbing/common/slices';
import { membersOf } from '#server/plumbing/http/json-list';
import { mount, sendJson } from '#server/plumbing/http/mount';
import { read } from '#server/plumbing/writes/operations';
import { eventRoutes } from './events.ts';
import { formatToken, parseToken, type ModificationCursor, type Token } from './token.ts';

/** docs/rules.md § 28 */
export const syncRoutes = (
  app: FastifyInstance,
  context: { records: Records<Database>; journal: Journal },
): void => {
  // Many devices pull at once after a large change: a page takes some 20 ms, and other requests run
  // in between.
  const ownTurn = turnsApart();
  mount(app, [
    read(pullChanges, {
      may: 'household',
      run: async ({ query, utilisateur, reply }) => {
        await ownTurn();
        return sendJson(reply, Buffer.from(pull(context.records, utilisateur, query)));
      },
    }),
  ]);
  const { database } = context.records;
  eventRoutes(app, database, context.journal, (utilisateur, checkpoint) =>
    replicaRevision(database, utilisateur, checkpoint),
  );
};

/**
 * The revision up to which a replica with this checkpoint is complete for its reader; `null` if it belongs to another
 * database or reader, or is incomplete.
 */
export function replicaRevision(
  database: Database,
  utilisateur: string | null,
  { epoque, revision }: Checkpoint,
): number | null {
  const token = parseToken(epoque);
  if (token === null || token.reader !== nameOf(database, utilisateur)) return null;
  const { origin, sharedAfter, start, modifications } = token;
  const isComplete = sharedAfter === 0 && start === 0;
  const hasModifications = modifications?.after === revision && modifications.start === 0;
  return isComplete && hasModifications && database.history.holds(origin, revision)
    ? revision
    : null;
}

function pull(
  records: Records<Database>,
  utilisateur: string | null,
  { limite = DEFAULT_LIMIT, modifications = false, ...checkpoint }: Query<typeof pullChanges>,
): string {
  const { database } = records;
  return database.read(() => {
    const cursor = readCursor(database, utilisateur, checkpoint);
    const { changes, more } = readPage(records, utilisateur, cursor, limite);
    const last = changes.at(-1);
    const reached =
      more && last !== undefined
        ? { ...cursor, revision: last.revision }
        : { ...cursor, revision: database.revision(), sharedAfter: 0, start: 0 };
    const acts =
      modifications && !more
        ? readModifications(records, utilisateur, cursor.modifications, limite - changes.length)
        : { changes: [], more: false, reached: cursor.modifications };
    const { epoque, revision } = toCheckpoint(database, utilisateur, {
      ...reached,
      modifications: acts.reached,
    });
    const changements = [...changes, ...acts.changes].map(({ json }) => json).join(',');
    const rest = membersOf({
      revision,
      complet: !more && !acts.more,
      epoque,
      bibliotheque: database.householdId,
      utilisateur,
    });
    return `{"changements":[${changements}],${rest}}`;
  });
}

/** The progress of one reader's replica: its checkpoint without the revision of the token. */
interface Cursor extends Pick<Token, 'sharedAfter' | 'start'> {
  /** The replica is complete up to this revision. */
  readonly revision: number;
  readonly modifications: ModificationCursor;
}

/** Refuses another database's checkpoint, and one older than purged deletions (docs/rules.md § 28). */
function readCursor(
  database: Database,
  utilisateur: string | null,
  { epoque, revision }: Partial<Checkpoint>,
): Cursor {
  const now = database.revision();
  const noModifications = { after: 0, start: now };
  if (epoque === undefined && revision === undefined)
    return { revision: 0, sharedAfter: 0, start: now, modifications: noModifications };
  if (epoque === undefined || revision === undefined) {
    const champ = epoque === undefined ? 'epoque' : 'revision';
    throw champRefusal(champ, 'EPOQUE');
  }
  const token = parseToken(epoque);
  if (token === null) throw outdated(database, utilisateur, { origin: '', revision, suite: false });
  const { origin, sharedAfter, start, modifications } = token;
  const furthest = Math.max(
    revision,
    sharedAfter,
    start,
    modifications?.after ?? 0,
    modifications?.start ?? 0,
  );
  if (!database.history.holds(origin, furthest))
    throw outdated(database, utilisateur, { origin, revision: furthest, suite: false });
  const cursor =
    token.reader === nameOf(database, utilisateur)
      ? { revision, sharedAfter, start, modifications: modifications ?? noModifications }
      : { ...handOver({ revision, sharedAfter, start }), modifications: noModifications };
  if (isTooOld(database, cursor.revision, cursor.start))
    throw outdated(database, utilisateur, { origin, revision: furthest, suite: true });
  return cursor;
}

/** Names the household that answers, so that a device can ask whether to replace its replica. */
function outdated(
  database: Database,
  utilisateur: string | null,
  copy: { readonly origin: string; readonly revision: number; readonly suite: boolean },
): Refusal<'EPOQUE_PERIMEE'> {
  const counts = database.all<{ collection: string; count: number }>(
    `SELECT collection, count(*) AS count FROM Journal NOT INDEXED
     WHERE supprime = 0 AND collection <> 'modifications' AND utilisateur IN ('', ?)
     GROUP BY collection`,
    utilisateur ?? '',
  );
  return new Refusal('EPOQUE_PERIMEE', {
    bibliotheque: database.householdId,
    epoque: database.history.epoque,
    suite: copy.suite,
    commune: database.history.commonWith(copy.origin, copy.revision),
    documents: counts.reduce((sum, { count }) => sum + count, 0),
    livres: counts.find(({ collection }) => collection === 'livres')?.count ?? 0,
    creee: database.value<string>('SELECT min(dateApplication) FROM Migration') ?? '',
    rendues: database.values<string>(
      `SELECT DISTINCT counts ->> 'bibliotheque' FROM Importation
       WHERE etat = 'faite' AND counts ->> 'isRestored' = 1`,
    ),
  });
}

/** Whether a replica misses deletions whose tombstones are purged. */
const isTooOld = (database: Database, after: number, start: number): boolean =>
  Math.max(after, start) < database.tombstones.forgottenUpTo;

const toCheckpoint = (
  database: Database,
  utilisateur: string | null,
  { revision, sharedAfter, start, modifications }: Cursor,
): Checkpoint => ({
  epoque: formatToken({
    origin: database.history.origin,
    reader: nameOf(database, utilisateur),
    sharedAfter,
    start,
    modifications: modifications.after === 0 ? null : modifications,
  }),
  revision,
});

/** For another reader: the replica keeps shared records and restarts the personal ones. */
function handOver({ revision, sharedAfter, start }: Omit<Cursor, 'modifications'>) {
  const held = Math.max(revision, sharedAfter);
  return { revision: 0, sharedAfter: held, start: Math.max(start, held) };
}

/** A digest that is the same for the same reader and does not reveal their name. */
const nameOf = (database: Database, utilisateur: string | null): string =>
  utilisateur === null
    ? ''
    : createHash('sha256')
        .update(`${database.history.epoque}\n${utilisateur}`)
        .digest('hex')
        .slice(0, 16);

interface Change {
  readonly revision: number;
  readonly json: string;
}

interface ModificationRow extends JournalRow {
  readonly bytes: number;
}

const SELECT_CHANGES = `SELECT revision, collection, id, j.utilisateur, supprime,
    coalesce((SELECT octet_length(fiches) FROM Modification m WHERE m.id = j.id), 0) AS bytes
  FROM Journal j NOT INDEXED`;

/** Limit for the modifications of one page after the first: more would block a slow line for minutes. */
const MAX_MODIFICATION_BYTES = 256 * 1024;

interface Changes {
  readonly changes: readonly Change[];
  readonly more: boolean;
}

/** Collections sent to known readers only: an anonymous reader's replica lacks them. */
const KNOWN_ONLY = collectionNames
  .filter((name) => 'knownOnly' in collections[name])
  .map((name) => `'${name}'`)
  .join();

/**
 * Collections with personal and shared records: after a change of reader they are sent again, since a record does not
 * name its owner.
 */
const PARTLY_PERSONAL = collectionNames
  .filter((name) => collections[name].personal === 'some')
  .map((name) => `'${name}'`)
  .join();

function readPage(
  records: Records,
  utilisateur: string | null,
  { revision: after, sharedAfter }: Cursor,
  limit: number,
): Changes {
  const rows = records.database.all<JournalRow>(
    `${SELECT_LINES} WHERE revision > @after AND collection <> 'modifications'
         AND (utilisateur = '' AND collection NOT IN (${KNOWN_ONLY})
             AND (revision > @sharedAfter OR collection IN (${PARTLY_PERSONAL}))
           OR utilisateur = '' AND @owner <> '' AND collection IN (${KNOWN_ONLY})
           OR utilisateur = @owner AND utilisateur <> '')
       ORDER BY revision LIMIT @limit`,
    { after, sharedAfter, owner: utilisateur ?? '', limit: limit + 1 },
  );
  return toChanges(records, rows, limit);
}

/**
 * At most `limit` modifications, within the bytes of a page. Deletions before `start` are left out: the replica never
 * had those.
 */
function readModifications(
  records: Records<Database>,
  utilisateur: string | null,
  { after, start }: ModificationCursor,
  limit: number,
): Changes & { readonly reached: ModificationCursor } {
  if (after > 0 && isTooOld(records.database, after, start)) {
    const { origin } = records.database.history;
    throw outdated(records.database, utilisateur, { origin, revision: after, suite: true });
  }
  const rows = records.database.all<ModificationRow>(
    `${SELECT_CHANGES} WHERE revision > @after AND collection = 'modifications'
         AND j.utilisateur IN ('', @owner) AND (supprime = 0 OR revision > @start)
       ORDER BY revision LIMIT @limit`,
    { after, start, owner: utilisateur ?? '', limit: limit + 1 },
  );
  const read = toChanges(records, rows, Math.min(limit, countWithin(rows, MAX_MODIFICATION_BYTES)));
  const reached = read.more
    ? { after: read.changes.at(-1)?.revision ?? after, start }
    : { after: records.database.revision(), start: 0 };
  return { ...read, reached };
}

/** How many of the first rows fit into these bytes; at least one. */
function countWithin(rows: readonly ModificationRow[], most: number): number {
  let bytes = 0;
  const end = rows.findIndex((row, index) => (bytes += row.bytes) > most && index > 0);
  return end < 0 ? rows.length : end;
}

/** A page ends beyond these bytes: a thousand ordinary books have half a million, one of long details has 450,000. */
const PAGE_BYTES = 3_000_000;

/** Documents that are read before their bytes are counted. */
const READ_AT_ONCE = 20;

function toChanges(records: Records, rows: readonly JournalRow[], limit: number): Changes {
  const lines = rows.slice(0, limit).map(toLine);
  const changes: Change[] = [];
  for (let bytes = 0; changes.length < lines.length && bytes < PAGE_BYTES;) {
    const next = lines.slice(changes.length, changes.length + READ_AT_ONCE);
    for (const change of withDocuments(records, next)) {
      changes.push(change);
      bytes += change.json.length;
    }
  }
  return { changes, more: rows.length > changes.length };
}

function withDocuments(records: Records, lines: readonly JournalLine[]): Change[] {
  const byCollection = Map.groupBy(lines, ({ collection }) => collection);
  const documents = new Map<JournalLine, string>();
  for (const [collection, some] of byCollection)
    for (const [line, json] of records.textsOf(collection, some)) documents.set(line, json);
  return lines.map((line) => {
    const { collection, id, revision } = line;
    const document = documents.get(line) ?? 'null';
    const json = `{"collection":"${collection}","id":${id},"revision":${revision},"document":${document}}`;
    return { revision, json };
  });
}
