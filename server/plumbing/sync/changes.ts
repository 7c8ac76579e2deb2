import type { CollectionDocument, CollectionName } from '#shared/collections';
import { SELECT_LINES, toLine, type Line, type LineRow } from '#server/plumbing/records/journal';
import type { Records } from '#server/plumbing/records/records';

/** A change as it goes over the wire. */
interface Change {
  readonly collection: CollectionName;
  readonly id: number;
  readonly revision: number;
  readonly document: CollectionDocument<CollectionName> | null;
}

/** What a page is read by: the caller and how far the copy has come. */
interface Extent {
  /** The caller; null gives what is shared alone. */
  readonly utilisateur: string | null;
  /** The revision after which changes are read. */
  readonly after: number;
  /** The revision after which shared changes are read, where it is the later one. */
  readonly sharedAfter: number;
  readonly limit: number;
}

/** What a page of acts is read by. */
interface ModificationExtent extends Omit<Extent, 'sharedAfter'> {
  /** The revision up to which deletions are left out: the copy never held what went before. */
  readonly start: number;
}

interface ModificationRow extends LineRow {
  readonly bytes: number;
}

/** Lines of acts, with the bytes of the records that each act tells. */
const SELECT_TOLD = `SELECT revision, collection, id, j.utilisateur, supprime,
    coalesce((SELECT octet_length(fiches) FROM Modification m WHERE m.id = j.id), 0) AS bytes
  FROM Journal j NOT INDEXED`;

/**
 * How many bytes of records the acts of one page tell, but for a first one that is longer: an act may
 * tell a thousand records, and a page of such would hold a slow line up for minutes.
 */
const MAX_TOLD_BYTES = 256 * 1024;

/** Changes by revision; `more` where the limit has cut them short. */
export interface Changes {
  readonly changes: readonly Change[];
  readonly more: boolean;
}

/** What a caller may read of the journal, acts apart. */
export function readPage(records: Records, extent: Extent): Changes {
  const { utilisateur, after, sharedAfter, limit } = extent;
  const rows = records.database.all<LineRow>(
    `${SELECT_LINES} WHERE revision > @after AND collection <> 'modifications'
         AND (utilisateur = '' AND revision > @sharedAfter
           OR utilisateur = @owner AND utilisateur <> '')
       ORDER BY revision LIMIT @limit`,
    { after, sharedAfter, owner: utilisateur ?? '', limit: limit + 1 },
  );
  return toChanges(records, rows, limit);
}

/** The acts that a caller may read; `limit` of them at most, and as many as their bytes allow. */
export function readModifications(records: Records, extent: ModificationExtent): Changes {
  const { utilisateur, after, start, limit } = extent;
  const rows = records.database.all<ModificationRow>(
    `${SELECT_TOLD} WHERE revision > @after AND collection = 'modifications'
         AND j.utilisateur IN ('', @owner) AND (supprime = 0 OR revision > @start)
       ORDER BY revision LIMIT @limit`,
    { after, start, owner: utilisateur ?? '', limit: limit + 1 },
  );
  return toChanges(records, rows, Math.min(limit, countWithin(rows, MAX_TOLD_BYTES)));
}

/** How many rows from the first one on stay within so many bytes; the first one does. */
function countWithin(rows: readonly ModificationRow[], most: number): number {
  let bytes = 0;
  const end = rows.findIndex((row, index) => (bytes += row.bytes) > most && index > 0);
  return end < 0 ? rows.length : end;
}

const toChanges = (records: Records, rows: readonly LineRow[], limit: number): Changes => ({
  changes: withDocuments(records, rows.slice(0, limit).map(toLine)),
  more: rows.length > limit,
});

/** The changes that lines tell of, in their order. */
function withDocuments(records: Records, lines: readonly Line[]): Change[] {
  const byCollection = Map.groupBy(lines, ({ collection }) => collection);
  const documents = new Map<Line, Change['document']>();
  for (const [collection, some] of byCollection)
    for (const [line, document] of records.documentsOf(collection, some))
      documents.set(line, document);
  return lines.map((line) => ({
    collection: line.collection,
    id: line.id,
    revision: line.revision,
    document: documents.get(line) ?? null,
  }));
}
