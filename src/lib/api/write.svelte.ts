import type { Answer, Body, Endpoint, Params } from '#shared/endpoint';
import type { Travail } from '#shared/travaux';
import { withNoBreakSpaces } from '../format/french.ts';
import { m } from '#messages';
import { ApiError, type Call, exchange, type Exchange, refusalOf, requireLink } from './call.ts';
import { type Batch, feedback, type Notice } from './feedback.svelte.ts';
import { link } from './link.ts';
import { unsafeCast } from './unsafe-cast.ts';

interface WriteOptions<E extends Endpoint> {
  readonly batch?: Batch | undefined;
  /** Called before the device shows the answer. */
  readonly onAnswer?: (body: Answer<E>) => void;
  /** Replaces the bar's sentence, and links to a record. */
  readonly notice?: (body: Answer<E>) => Partial<Notice>;
}

type Options<E extends Endpoint> = Partial<Omit<Call<E>, 'params' | 'body'>> & WriteOptions<E>;

/** The arguments of an operation: the id of its path and its body, if any, and further options. */
type Args<E extends Endpoint> = [
  ...(Params<E> extends { readonly id: number } ? [id: number] : []),
  ...(Body<E> extends undefined ? [] : [body: Body<E>]),
  options?: Options<E>,
];

/** A write of the service as a function: `preter(livreId, { emprunteur })`. Throws like `write`. */
export const operation =
  <const E extends Endpoint>(endpoint: E, preset?: Options<E>) =>
  (...args: Args<E>): Promise<Answer<E>> => {
    const rest: unknown[] = [...args];
    const params = endpoint.path.includes('/:id') ? { id: rest.shift() } : undefined;
    const body = endpoint.body && rest.shift();
    const options = { ...preset, ...unsafeCast<Options<E> | undefined>(rest[0]) };
    return write(endpoint, unsafeCast<Call<E>>({ ...options, params, body }), options);
  };

/**
 * Runs a write, waits until this device shows it, and notifies the bar (docs/rules.md § 46); an operation with an
 * undo on its own screen is announced only with a `notice`. Retries without a response, so that it may take long.
 * Throws an `ApiError` if the server refuses it; a replica that lags behind is no failure.
 */
export async function write<E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
  { batch, onAnswer, notice }: WriteOptions<E> = {},
): Promise<Answer<E>> {
  // Fixed at the first attempt: the reader may change before a later one.
  const household = request.household ?? link.household();
  const asked = { ...request, reader: link.reader(), household };
  const whose = link.identity();
  const { body, revision, modification } = await slowWrites.watch(
    retryUntilAnswered(endpoint, asked),
  );
  onAnswer?.(body);
  const isNotified = endpoint.skipsHistory !== true || notice !== undefined;
  const text = withNoBreakSpaces(modification?.resume ?? '') || m.act_done();
  const shown = { text, ...notice?.(body) };
  const id = modification?.id ?? null;
  // At the response: a batch is undone in the order of its writes, but the screen may show a later
  // one first.
  if (isNotified) batch?.notify(shown, id);
  if (revision !== null) await link.waitForRevision(revision);
  if (isNotified && batch === undefined && whose === link.identity()) feedback.notify(shown, id);
  return body;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;

/** Shorter than the threshold of a slow write, so that the screen names the job. */
const MAX_WAIT_S = 4;

/**
 * Sends a write until the server responds. All attempts share one idempotency key, so that it is executed once with
 * one response (docs/rules.md § 29). Throws an `ApiError`, whose message does not deny a possible success. `givenUp`
 * aborts with the signal's reason while nothing can have been written.
 */
async function retryUntilAnswered<E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
): Promise<Exchange<E>> {
  requireLink();
  const keyed = { ...request, key: request.key ?? newKey(), maxWaitS: MAX_WAIT_S };
  let pauseMs = FIRST_PAUSE_MS;
  let mayBeDone = false;
  for (;;) {
    try {
      return await exchange(endpoint, keyed);
    } catch (error) {
      if (endpoint.method === 'DELETE' && isGone(error))
        return unsafeCast<Exchange<E>>({ body: undefined, revision: null, modification: null });
      const refusal = refusalOf(error);
      if (refusal?.code === 'TRAVAIL_EN_COURS') await slowWrites.name(refusal.travail);
      else if (!isUndecided(error)) throw mayBeDone ? afterSilence(error) : error;
      mayBeDone ||= refusal === null || refusal.code === 'DEMANDE_EN_COURS';
    }
    await pause(pauseMs, mayBeDone ? request.signal : (request.givenUp ?? request.signal));
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** True where the server may have done the write, or was stopped before it did. */
const isUndecided = (error: unknown): boolean =>
  ['DEMANDE_EN_COURS', 'SERVICE_ARRETE'].includes(refusalOf(error)?.code ?? '') ||
  (error instanceof ApiError && error.kind === 'offline');

function isGone(error: unknown): boolean {
  const refusal = refusalOf(error);
  return (
    refusal?.code === 'INTROUVABLE' ||
    (refusal?.code === 'MODIFIE_ENTRETEMPS' && refusal.actuel === null)
  );
}

/** After a try without an answer, an expired session, another reader's or another household leaves open whether the write was done. */
const afterSilence = (error: unknown): unknown =>
  error instanceof ApiError &&
  (error.kind === 'sessionExpired' ||
    ['AUTRE_LECTEUR', 'AUTRE_BIBLIOTHEQUE'].includes(error.refusal?.code ?? ''))
    ? new ApiError(error.kind, m.error_write_unknown())
    : error;

/** An idempotency key; `crypto.randomUUID` is not available over plain HTTP. */
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

const SLOW_MS = 5_000;

class SlowWrites {
  count = $state(0);
  /** The job that the write waits for on the server, « Un import »; `null` if unknown. */
  travail = $state<string | null>(null);

  async name(travail: Travail): Promise<void> {
    const { nomOfTravail } = await import('#shared/travaux');
    this.travail = nomOfTravail(travail);
  }

  async watch<T>(work: Promise<T>): Promise<T> {
    const slow = { count: 0 };
    const timer = setTimeout(() => {
      slow.count = 1;
      this.count++;
    }, SLOW_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.count -= slow.count;
      if (this.count === 0) this.travail = null;
    }
  }
}

export const slowWrites = new SlowWrites();
