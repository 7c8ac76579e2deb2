import { MAX_SOUHAITS_LOT, type SouhaitsLot, traiterSouhaits } from '#shared/souhaits-lot';
import { ApiError } from '$lib/api/call';
import type { Batch } from '$lib/api/feedback.svelte';
import { write } from '$lib/api/write.svelte';
import { m } from '$lib/paraglide/messages';
import { announcer } from '$lib/ui/announcer.svelte';
import { catchUpWhenStale, type RankedWish, revuesSouhaiteesView, souhaitsView } from './kinds.ts';

/** Allows for a thousand wishes, a slow connection and a small server. */
const TIMEOUT_MS = 120_000;

/** Books and issues have numbers of their own, and are selected together: an issue's is negative. */
export const chosenId = (wish: RankedWish): number => ('numero' in wish ? -wish.id : wish.id);

/** The sentences of `Selected` (`src/lib/ui/list`) for wishes. */
export const chosenSouhaits = {
  exists: (id: number): boolean =>
    (id < 0 ? revuesSouhaiteesView.get(-id) : souhaitsView.get(id)) !== undefined,
  max: MAX_SOUHAITS_LOT,
  words: {
    actions: m.souhaits_selection_actions,
    count: m.souhaits_selection_count,
    empty: m.souhaits_selection_empty,
    emptyDesk: m.souhaits_selection_empty_desk,
    tooMany: m.souhaits_selection_too_many,
  },
};

/** All these wishes or none (docs/rules.md § 17). */
export const traiterChosen = (
  ids: readonly number[],
  action: SouhaitsLot['action'],
  {
    givenUp,
    batch,
  }: { readonly givenUp?: AbortSignal | undefined; readonly batch?: Batch | undefined },
) =>
  catchUpWhenStale(() => {
    const souhaits = ids.filter((id) => id > 0);
    const revues = ids.filter((id) => id < 0).map((id) => -id);
    const body = { action, souhaits, revues };
    return write(traiterSouhaits, { body, timeoutMs: TIMEOUT_MS, givenUp }, { batch });
  });

/** Removes wishes for arrived books or issues; a failure does not affect these. */
export async function removeArrived(ids: readonly number[], batch: Batch): Promise<void> {
  if (ids.length === 0) return;
  try {
    await traiterChosen(ids, 'supprimer', { batch });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    announcer.say(error.message);
  }
}
