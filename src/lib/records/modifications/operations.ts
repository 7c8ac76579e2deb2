import * as modifications from '#shared/modifications';
import type { Modification } from '#shared/modifications';
import { m } from '$lib/paraglide/messages';
import { write } from '$lib/sync/write';
import type { Batch } from '$lib/sync/feedback.svelte';

/**
 * Takes a modification back as a whole; the answer is the one that does it (docs/rules.md § 38).
 *
 * @param text what the bar then says
 * @throws the refusal `ANNULATION_IMPOSSIBLE`, whose sentence says what stands in the way
 */
export const annulerModification = (
  id: number,
  text: string = m.modification_undone(),
  batch?: Batch,
): Promise<Modification> =>
  write(
    modifications.annulerModification,
    { params: { id } },
    {
      batch,
      notice: () => ({ text, isFinal: true }),
    },
  );
