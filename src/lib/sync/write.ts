import type { Endpoint, Response } from '#shared/endpoint';
import type { Call } from '../api/call.ts';
import { retryUntilAnswered } from '../api/retry-until-answered.ts';
import { feedback, type Batch, type Notice } from './feedback.svelte.ts';
import { engine } from './device.ts';
import { slowWrites } from './slow-writes.svelte.ts';

/** The notice of a write, made from its answer. */
type Sentence<E extends Endpoint> = (body: Response<E>) => Notice | string;

interface Options<E extends Endpoint> {
  /** The batch that the write belongs to: it is notified in place of the bar. */
  readonly batch?: Batch | undefined;
  /** Called with the answer before the device shows it. */
  readonly onAnswer?: (body: Response<E>) => void;
}

/** An operation that has an undo of its own on its screen. */
type HasOwnUndo = Endpoint & { readonly hasOwnUndo: true };

/**
 * Does a write, waits until this device shows it, and notifies the bar, which offers to take it back
 * (docs/rules.md § 46). Without an answer it asks again, so it may take long; `connection.slowWrite`
 * tells. Throws an `ApiError` where the server did not take it; a copy that lags behind is no failure
 * of the write.
 */
export function write<E extends HasOwnUndo>(
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
    const notice = sentence(body);
    (batch ?? feedback).notify(
      typeof notice === 'string' ? { text: notice } : notice,
      modificationId,
    );
  }
  return body;
}

/** Pulls once, however fresh the copy is, and waits for the outcome. */
export const catchUp = (): Promise<void> => engine.catchUp();
