import type { CollectionName } from '#shared/collections';
import { collectionNames, collections } from '#shared/collections';
import type { Change, Checkpoint } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';

/** How far a copy has come, and whether it has ever held all that the server held. */
export interface KeptCheckpoint extends Checkpoint {
  readonly whole: boolean;
}

/** What is kept of one record or of many, of the checkpoint, or of an answer for offline reading. */
export interface Envelope {
  /** `livres/12`; of the checkpoint its kind alone. */
  readonly key: string;
  readonly kind: CollectionName | 'pack' | 'checkpoint' | 'snapshot';
  /** The revision of the record's line in the journal, of many the last one; 0 where it is not known. */
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

/** The change that an envelope of a record tells, with every field that today's shapes have. */
export function changeOf({ key, kind, revision, document }: Envelope, stale: boolean): Change {
  const collection = unsafeCast<CollectionName>(kind);
  const id = Number(key.slice(collection.length + 1));
  const shown = stale && document !== null ? withDefaults(collection, document) : document;
  return unsafeCast<Change>({ collection, id, revision, document: shown });
}

/** A hash of the shapes of all records: a copy made by other shapes is to be made anew. */
export const shapeHash = (): string =>
  hash(JSON.stringify(collectionNames.map((name) => [name, collections[name].document])));

/** A record of earlier shapes with the fields that have come since, at what stands for nothing. */
function withDefaults(collection: CollectionName, document: object): object {
  const properties = unsafeCast<Record<string, Shape>>(collections[collection].document.properties);
  const missing = Object.entries(properties).filter(([name]) => !(name in document));
  if (missing.length === 0) return document;
  return {
    ...document,
    ...Object.fromEntries(missing.map(([name, shape]) => [name, nothing(shape)])),
  };
}

interface Shape {
  readonly type?: unknown;
  readonly enum?: unknown;
}

function nothing(shape: Shape): unknown {
  if (Array.isArray(shape.enum)) return shape.enum[0];
  if (shape.type === 'array') return [];
  if (shape.type === 'string') return '';
  if (shape.type === 'integer' || shape.type === 'number') return 0;
  return shape.type === 'boolean' ? false : null;
}

/**
 * A short hash of a text (cyrb53, 53 bits in base 36). It names shapes and guards nothing;
 * `crypto.subtle` is not there on plain http.
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
