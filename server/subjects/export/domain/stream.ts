import { pipeline, type Readable } from 'node:stream';
import type { Snapshot } from '#server/plumbing/database/snapshot';
import { unlessUnread } from '#server/plumbing/http/body';

/**
 * The stream of a format; the snapshot is closed when it ends, is broken off or is read by nobody: the log grows
 * while it is open.
 */
export function formatFrom(snapshot: Snapshot, format: (snapshot: Snapshot) => Readable): Readable {
  try {
    return pipeline(format(snapshot), unlessUnread(), () => snapshot.close());
  } catch (error) {
    snapshot.close();
    throw error;
  }
}
