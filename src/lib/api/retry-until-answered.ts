import type { Endpoint } from '#shared/endpoint';
import { m } from '$lib/paraglide/messages';
import { exchange, requireLink, type Call, type Exchange } from './call.ts';
import { unsafeCast } from './unsafe-cast.ts';
import { ApiError, refusalOf } from './error.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Does a write, and where no answer comes asks again until it is known what became of it. It carries
 * one key for all its tries, so that it is done once and its first answer is not lost
 * (docs/rules.md § 29). Throws an `ApiError`, which never says that nothing was recorded where it may
 * have been.
 */
export async function retryUntilAnswered<E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
): Promise<Exchange<E>> {
  requireLink();
  const keyed = { ...request, key: newKey() };
  let pauseMs = FIRST_PAUSE_MS;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await exchange(endpoint, keyed);
    } catch (error) {
      if (endpoint.method === 'DELETE' && isGone(error))
        return unsafeCast<Exchange<E>>({ body: undefined, revision: null, modificationId: null });
      if (!isUndecided(error)) throw isFirst ? error : afterSilence(error);
    }
    await pause(pauseMs, request.signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** True where the server may or may not have done it. */
const isUndecided = (error: unknown): boolean =>
  refusalOf(error)?.code === 'DEMANDE_EN_COURS' ||
  (error instanceof ApiError && error.kind === 'offline');

/** Someone else has deleted it, or its answer is kept no more: gone is what was wanted. */
function isGone(error: unknown): boolean {
  const refusal = refusalOf(error);
  return (
    refusal?.code === 'INTROUVABLE' ||
    (refusal?.code === 'MODIFIE_ENTRETEMPS' && refusal.actuel === null)
  );
}

/** A later try that does not get through either leaves open what became of the first. */
const afterSilence = (error: unknown): unknown =>
  error instanceof ApiError && error.kind === 'sessionExpired'
    ? new ApiError('sessionExpired', m.error_write_unknown())
    : error;

/** `crypto.randomUUID` is not there on plain http. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resume) => {
    const timer = setTimeout(resume, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resume();
    });
  });
  signal?.throwIfAborted();
}
