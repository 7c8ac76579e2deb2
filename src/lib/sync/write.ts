import type { Endpoint, Response } from '#shared/endpoint';
import type { Call } from '../api/call.ts';
import { retryUntilAnswered } from '../api/retry-until-answered.ts';
import { feedback, type Batch, type Notice } from './feedback.svelte.ts';
import { engine } from './device.ts';
import { slowWrites } from './slow-writes.svelte.ts';

/** Says what a write did, from its answer. */
type Sentence<E extends Endpoint> = (body: Response<E>) => Notice | string;

interface Options<E extends Endpoint> {
  /** The act that the write is a part of, told in place of the bar. */
  readonly batch?: Batch | undefined;
  /** Told the answer before the device shows it. */
  readonly onAnswer?: (body: Response<E>) => void;
}

/** Of an operation that is undone by one of its own, which its screen tells. */
type Untold = Endpoint & { readonly hasOwnUndo: true };

/**
 * Does a write, waits until this device shows it, and tells it where it can be taken back
 * (docs/rules.md § 46). Without an answer it asks again, so it may take long; `connection.slowWrite`
 * tells. Throws an `ApiError` where the server did not take it; a copy that lags behind is no failure
 * of the write.
 */
export function write<E extends Untold>(
  endpoint: E,
  request: Call<E>,
  sentence: null,
  options?: Options<E>,
): Promise<Response<E>>;
export function write<E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
  sentence: Sentence<E>,
  options?: Options<E>,
): Promise<Response<E>>;
export async function write<E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
  sentence: Sentence<E> | null,
  { batch, onAnswer }: Options<E> = {},
): Promise<Response<E>> {
  const { body, revision, modificationId } = await slowWrites.watch(
    retryUntilAnswered(endpoint, request),
  );
  onAnswer?.(body);
  if (revision !== null) await engine.reach(revision);
  if (sentence !== null) {
    const told = sentence(body);
    (batch ?? feedback).tell(typeof told === 'string' ? { text: told } : told, modificationId);
  }
  return body;
}

/** Has this device look at the server once, whatever it knows, and waits for what comes of it. */
export const catchUp = (): Promise<void> => engine.catchUp();
