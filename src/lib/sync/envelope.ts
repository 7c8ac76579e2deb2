import { withAbsentFields } from '#shared/absent-fields';
import { collectionNames, collections, type CollectionName } from '#shared/collections';
import type { Change, Checkpoint } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';

/** The checkpoint of a copy, and whether it has ever been equal to the server. */
export interface KeptCheckpoint extends Checkpoint {
  readonly whole: boolean;
}

/** One row: a record, a pack of records, the checkpoint, or an answer for offline reading. */
export interface Envelope {
  /** `livres/12`; for the checkpoint `checkpoint`. */
  readonly key: string;
  readonly kind: CollectionName | 'pack' | 'checkpoint' | 'snapshot';
  /** The revision of the record's line in the journal, the last one of a pack; 0 where unknown. */
  readonly revision: number;
  /** The record, `null` once it is deleted. */
  readonly document: object | null;
}

export const keyOf = (collection: CollectionName, id: number): string =>
  `${collection}/${String(id)}`;

export const CHECKPOINT = 'checkpoint';

export const checkpointEnvelope = (checkpoint: KeptCheckpoint): Envelope => ({
  key: CHECKPOINT,
  kind: CHECKPOINT,
  revision: checkpoint.revision,
  document: checkpoint,
});

export const recordEnvelope = ({ collection, id, revision, document }: Change): Envelope => ({
  key: keyOf(collection, id),
  kind: collection,
  revision,
  document,
});

/** The change in an envelope of a record. */
export function changeOf({ key, kind, revision, document }: Envelope): Change {
  const id = Number(key.slice(kind.length + 1));
  return unsafeCast<Change>({ collection: kind, id, revision, document });
}

/**
 * Changes of another version's copy, with every field of today's shapes. A kind that this application does
 * not know is left out: a tab of a later version may have written it.
 */
export const inTodaysShapes = (changes: readonly Change[]): Change[] =>
  changes
    .filter(({ collection }) => collectionNames.includes(collection))
    .map((change) => {
      const { collection, document } = change;
      if (document === null) return change;
      const shown = withAbsentFields(collections[collection].document, document);
      return unsafeCast<Change>({ ...change, document: shown });
    });

/** The name of a copy's database, and the hash of its shapes. */
export interface CopyName {
  readonly name: string;
  readonly shape: string;
}

/** A hash of the shapes of all records: a copy of other shapes needs a resync. */
export const shapeHash = (): string =>
  hash(JSON.stringify(collectionNames.map((name) => [name, collections[name].document])));

/**
 * A short hash of a text (cyrb53, 53 bits in base 36), not for security. `crypto.subtle` is missing on
 * plain http.
 */
function hash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
}
