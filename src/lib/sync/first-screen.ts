import type { Change } from '#shared/replication';
import { unsafeCast } from '../api/unsafe-cast.ts';
import { noteName, type NotesPort } from './ports.ts';
import type { Reader } from './status.ts';

/**
 * The few records that an earlier visit has noted beside a reader's copy, for a start to paint before RxDB is loaded.
 * Their revisions may be another database's by now: whatever the copy holds is newer.
 */
export function readFirstScreen(notes: NotesPort, reader: Reader): Change[] {
  const note = unsafeCast<{ changes: readonly Change[] } | null>(
    notes.get(noteName('first', reader)),
  );
  return (note?.changes ?? []).map((change) => ({ ...change, revision: 0 }));
}

export const keepFirstScreen = (
  notes: NotesPort,
  reader: Reader,
  changes: readonly Change[],
): void => notes.set(noteName('first', reader), { changes });
