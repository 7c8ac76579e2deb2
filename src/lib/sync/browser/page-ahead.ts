import { pullChanges, type ChangePage } from '#shared/replication';
import { call } from '../../api/call.ts';
import { unsafeCast } from '../../api/unsafe-cast.ts';
import { FIRST_LIMIT } from '../puller.ts';

/** A page is given up when nothing of it arrives for this long, in milliseconds. */
export const PAGE_IDLE_MS = 20_000;

const NONE: Promise<ChangePage | null> = Promise.resolve(null);

let page = NONE;

/**
 * Asks for the first page of a first copy while it is asked who reads, and the storage is loaded: a device that
 * has nothing would wait for all three, one after the other. The page names its reader.
 */
export function askAhead(): void {
  const query = { limite: FIRST_LIMIT, modifications: false };
  // A failure is left to the pull, which meets the same one and reports it.
  page = call(pullChanges, { query, idleMs: PAGE_IDLE_MS }).then(
    (answer) => unsafeCast<ChangePage>(answer),
    () => null,
  );
}

/** The page that was asked for ahead, once; `null` where there is none. */
export function takeAhead(signal: AbortSignal): Promise<ChangePage | null> {
  const taken = page;
  page = NONE;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
  return Promise.race([taken, aborted]);
}
