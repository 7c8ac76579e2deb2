import type { Endpoint, Response } from '#shared/endpoint';
import type { Call } from '../api/call.ts';
import { retryUntilAnswered } from '../api/retry-until-answered.ts';
import { withNoBreakSpaces } from '../format/no-break.ts';
import { m } from '../paraglide/messages.js';
import { feedback, type Batch, type Notice } from './feedback.svelte.ts';
import { slowWrites } from './slow-writes.svelte.ts';
import { device } from './this-device.ts';

export interface WriteOptions<E extends Endpoint> {
  /** The batch that the write belongs to: it is notified in place of the bar. */
  readonly batch?: Batch | undefined;
  /** Called with the answer before the device shows it. */
  readonly onAnswer?: (body: Response<E>) => void;
  /** What the bar says in place of the act's own sentence, and where it leads. */
  readonly notice?: (body: Response<E>) => Partial<Notice>;
}

/**
 * Does a write, waits until this device shows it, and notifies the bar, which says it as the history
 * does and offers to take it back (docs/rules.md § 46). An operation that has an undo of its own on its
 * screen is told only with a `notice`. Without an answer it asks again, so it may take long;
 * `connection.slowWrite` tells. Throws an `ApiError` where the server did not take it; a copy that lags
 * behind is no failure of the write.
 */
export async function write<E extends Endpoint>(
  endpoint: E,
  request: Call<E>,
  { batch, onAnswer, notice }: WriteOptions<E> = {},
): Promise<Response<E>> {
  // Of all tries the first one's: another may read by the time of a later one.
  const asked = { ...request, reader: device.status.reader };
  const { body, revision, modification } = await slowWrites.watch(
    retryUntilAnswered(endpoint, asked, (travail) => (slowWrites.travail = travail)),
  );
  onAnswer?.(body);
  if (revision !== null) await device.reach(revision);
  if (endpoint.hasOwnUndo === true && notice === undefined) return body;
  const text = withNoBreakSpaces(modification?.resume ?? '') || m.act_done();
  (batch ?? feedback).notify({ text, ...notice?.(body) }, modification?.id ?? null);
  return body;
}

/** Pulls once, however fresh the copy is, and waits for the outcome. */
export const catchUp = (): Promise<void> => device.catchUp();
