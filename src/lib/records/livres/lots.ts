import * as lots from '#shared/lots';
import type { Lot } from '#shared/lots';
import { ApiError, refusalOf } from '$lib/api/call';
import { dayOf } from '$lib/format/days';
import { m } from '$lib/paraglide/messages';
import type { Batch } from '$lib/api/feedback.svelte';
import { write } from '$lib/api/write.svelte';
import { titreOf } from '$lib/records/livres/view.svelte';

/** A thousand books take their time on a slow line, and on a small server. */
const TIMEOUT_MS = 120_000;

/**
 * Does one thing to several books, to all or to none (docs/rules.md § 40).
 *
 * @throws the refusal of the first book in the way, its sentence begins with the title
 */
export async function traiterLot(body: Lot, batch?: Batch, unsent?: AbortSignal): Promise<void> {
  try {
    await write(
      lots.traiterLot,
      { body: { ...body, jour: dayOf(new Date()) }, timeoutMs: TIMEOUT_MS, unsent },
      { batch },
    );
  } catch (error) {
    throw namingLivre(error);
  }
}

/** The same for any number of books, in as many requests as that takes. */
export async function traiterLots({ ids, ...lot }: Lot, batch: Batch): Promise<void> {
  for (let start = 0; start < ids.length; start += lots.MAX_LOT)
    await traiterLot({ ...lot, ids: ids.slice(start, start + lots.MAX_LOT) }, batch);
}

function namingLivre(error: unknown): unknown {
  const refusal = refusalOf(error);
  const livreId: unknown = refusal === null ? undefined : Reflect.get(refusal, 'livreId');
  const titre = typeof livreId === 'number' ? titreOf(livreId) : '';
  if (refusal === null || titre === '') return error;
  return new ApiError('refusal', m.lot_refused({ titre, reason: refusal.message }), refusal);
}
