import type { CollectionName } from '#shared/collections';
import type { Change, Checkpoint } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { keyOf } from './keys.ts';
import type { EarlierCopy } from './ports.ts';

/** A row of version 1.0: a record, a pack of changes, or the checkpoint. */
export interface Envelope {
  readonly key: string;
  readonly kind: CollectionName | 'pack' | 'checkpoint' | 'snapshot';
  readonly revision: number;
  readonly document: object | null;
}

/** The records of a copy, of two rows that hold one the later; `null` where it is not whole. */
export function copyInEnvelopes(rows: readonly Envelope[]): EarlierCopy | null {
  const checkpoint = rows.find(({ kind }) => kind === 'checkpoint')?.document;
  const state = unsafeCast<(Checkpoint & { whole: boolean }) | null>(checkpoint ?? null);
  if (state?.whole !== true) return null;
  const latest = new Map<string, Change>();
  for (const change of rows.flatMap(changesInEnvelope)) {
    const key = keyOf(change);
    if ((latest.get(key)?.revision ?? -1) <= change.revision) latest.set(key, change);
  }
  return { changes: [...latest.values()], checkpoint: state };
}

function changesInEnvelope({ key, kind, revision, document }: Envelope): Change[] {
  if (kind === 'checkpoint' || kind === 'snapshot') return [];
  if (kind !== 'pack') {
    const id = Number(key.slice(kind.length + 1));
    return [unsafeCast<Change>({ collection: kind, id, revision, document })];
  }
  const pack = unsafeCast<{ text: string } | { changes: Change[] }>(document);
  return 'text' in pack
    ? unsafeCast<{ changes: Change[] }>(JSON.parse(pack.text)).changes
    : pack.changes;
}
