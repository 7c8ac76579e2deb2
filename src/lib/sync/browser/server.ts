import { lireMoi } from '#shared/moi';
import { pullChanges, type ChangePage } from '#shared/replication';
import { call } from '../../api/call.ts';
import { ApiError, refusalOf } from '../../api/error.ts';
import { listen } from '../../api/events.ts';
import { unsafeCast } from '../../api/unsafe-cast.ts';
import { Failure } from '../failure.ts';
import type { ServerPort } from '../ports.ts';

/** A page is given up when nothing of it arrives for this long, in milliseconds. */
const PAGE_IDLE_MS = 20_000;

/** How long a start waits for the reader's identity, in milliseconds; then it is offline. */
const IDENTITY_MS = 4_000;

/** The server behind this page's own origin. */
export const server: ServerPort = {
  async pull(checkpoint, { limit, modifications }, signal) {
    const query = { ...(checkpoint ?? {}), limite: limit, modifications };
    try {
      return unsafeCast<ChangePage>(
        await call(pullChanges, { query, signal, idleMs: PAGE_IDLE_MS }),
      );
    } catch (error) {
      signal.throwIfAborted();
      // Without a checkpoint no epoch can be foreign: an ordinary failure.
      if (refusalOf(error)?.code === 'EPOQUE_PERIMEE' && checkpoint !== null)
        throw new Failure('foreignEpoch', error);
      throw failureOf(error);
    }
  },

  async identify(signal) {
    try {
      return await call(lireMoi, { signal, timeoutMs: IDENTITY_MS });
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error);
    }
  },

  listen,
};

function failureOf(error: unknown): Failure {
  const kind = error instanceof ApiError ? error.kind : 'unexpected';
  const named = kind === 'offline' || kind === 'sessionExpired';
  return new Failure(named ? kind : 'serverFailing', error);
}
