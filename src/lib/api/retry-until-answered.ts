import type { Endpoint } from '#shared/endpoint';
import { m } from '$lib/paraglide/messages';
import { exchange, requireLink, type Call, type Exchange } from './call.ts';
import { unsafeCast } from './unsafe-cast.ts';
import { ApiError, refusalOf } from './error.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Sends a write, and sends it again until the server answers. All tries carry one idempotency key, so
 * that it is done once and the first answer is kept (docs/rules.md § 29): the request's, else a new one. Throws an `ApiError`; where the
 * write may have been recorded its sentence does not deny it. `unsent` ends it with the signal's reason before
 * a try that follows none but those of which the server said that nothing was recorded.
 *
 * @param waits called with what the write has to wait for on the server, « Un import »
 */
export async function retryUntilAnswered<E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
  waits: (travail: string) => void = () => undefined,
): Promise<Exchange<E>> {
  requireLink();
  const keyed = { ...request, key: request.key ?? newKey() };
  let pauseMs = FIRST_PAUSE_MS;
  let mayBeDone = false;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await exchange(endpoint, keyed);
    } catch (error) {
      if (endpoint.method === 'DELETE' && isGone(error))
        return unsafeCast<Exchange<E>>({ body: undefined, revision: null, modification: null });
      const refusal = refusalOf(error);
      if (refusal?.code === 'TRAVAIL_EN_COURS') waits(refusal.travail);
      else if (!isUndecided(error)) throw isFirst ? error : afterSilence(error);
      mayBeDone ||= refusal === null || refusal.code === 'DEMANDE_EN_COURS';
    }
    await pause(pauseMs, mayBeDone ? request.signal : (request.unsent ?? request.signal));
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** True where the server may have done the write, or was stopped before it did. */
const isUndecided = (error: unknown): boolean =>
  ['DEMANDE_EN_COURS', 'SERVICE_ARRETE'].includes(refusalOf(error)?.code ?? '') ||
  (error instanceof ApiError && error.kind === 'offline');

/** True where the record is deleted already, by someone else or by an earlier try. */
function isGone(error: unknown): boolean {
  const refusal = refusalOf(error);
  return (
    refusal?.code === 'INTROUVABLE' ||
    (refusal?.code === 'MODIFIE_ENTRETEMPS' && refusal.actuel === null)
  );
}

/** After a try without an answer, an expired session or another reader's leaves open whether the write was done. */
const afterSilence = (error: unknown): unknown =>
  error instanceof ApiError &&
  (error.kind === 'sessionExpired' || error.refusal?.code === 'AUTRE_LECTEUR')
    ? new ApiError(error.kind, m.error_write_unknown())
    : error;

/** An idempotency key; `crypto.randomUUID` is not there on plain http. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resume) => {
    const timer = setTimeout(resume, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resume();
    });
  });
  signal?.throwIfAborted();
}
