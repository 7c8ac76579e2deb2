import type { Change } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { changeOf, inTodaysShapes, recordEnvelope, type Envelope } from './envelope.ts';

/**
 * A row of IndexedDB costs as much as twenty records inside it, so a page of many changes is written as
 * packs (`npm run bench` measures the gain). A record that changes later gets a row of its own; the
 * higher revision counts.
 */
const SIZE = 250;

/** Fewer changes of one kind get a row each, which the next change replaces. */
const LEAST = 20;

/** The rows for changes: single ones or packs. */
export function toEnvelopes(changes: readonly Change[]): Envelope[] {
  return [...Map.groupBy(changes, ({ collection }) => collection).values()].flatMap((some) =>
    some.length < LEAST ? some.map(recordEnvelope) : portionsOf(some).map(packEnvelope),
  );
}

/**
 * The changes in an envelope. Some of a pack may be superseded by a later row.
 *
 * @param stale whether it has other shapes than today's
 */
export function changesIn(envelope: Envelope, stale: boolean): Change[] {
  if (envelope.kind === 'checkpoint' || envelope.kind === 'snapshot') return [];
  const changes =
    envelope.kind === 'pack' ? unsafeCast<Pack>(envelope.document).changes : [changeOf(envelope)];
  return stale ? inTodaysShapes(changes) : changes;
}

interface Pack {
  readonly changes: Change[];
}

const portionsOf = (changes: readonly Change[]): Change[][] =>
  Array.from({ length: Math.ceil(changes.length / SIZE) }, (_, i) =>
    changes.slice(i * SIZE, (i + 1) * SIZE),
  );

/** `pack/livres/12-530`: no other pack of a copy has the same first and last revision. */
function packEnvelope(changes: Change[]): Envelope {
  const revisions = changes.map(({ revision }) => revision);
  const [first, last] = [Math.min(...revisions), Math.max(...revisions)];
  const kind = changes[0]?.collection ?? '';
  return {
    key: `pack/${kind}/${String(first)}-${String(last)}`,
    kind: 'pack',
    revision: last,
    document: { changes },
  };
}
