import type { Change } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { changeOf, recordEnvelope, type Envelope } from './envelope.ts';

/**
 * A row of IndexedDB costs as much as twenty records that it holds: a page of many changes is kept
 * in rows of many (`npm run bench` tells what that gains). A record that changes later has a row of
 * its own beside; which of two is the later one, their revisions tell.
 */
const SIZE = 250;

/** Fewer changes of one kind are kept in a row each: such a row is replaced by the next change. */
const LEAST = 20;

/** What keeps changes, a row for each or one for many. */
export function toEnvelopes(changes: readonly Change[]): Envelope[] {
  return [...Map.groupBy(changes, ({ collection }) => collection).values()].flatMap((some) =>
    some.length < LEAST ? some.map(recordEnvelope) : portionsOf(some).map(packEnvelope),
  );
}

/**
 * The changes that an envelope keeps; of a record that has changed since, an earlier one may be
 * among them.
 *
 * @param stale whether other shapes than today's have made it
 */
export function changesIn(envelope: Envelope, stale: boolean): Change[] {
  if (envelope.kind === 'checkpoint' || envelope.kind === 'snapshot') return [];
  if (envelope.kind !== 'pack') return [changeOf(envelope, stale)];
  const { changes } = unsafeCast<Pack>(envelope.document);
  return stale ? changes.map((change) => changeOf(recordEnvelope(change), stale)) : changes;
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
