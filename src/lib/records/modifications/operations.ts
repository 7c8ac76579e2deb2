import * as modifications from '#shared/modifications';
import type { Modification } from '#shared/modifications';
import { write } from '$lib/sync/write';
import type { Batch } from '$lib/sync/feedback.svelte';

/**
 * Takes a modification back as a whole; the answer is the one that does it (docs/rules.md § 38).
 *
 * @throws the refusal `ANNULATION_IMPOSSIBLE`, whose sentence says what stands in the way
 */
export const annulerModification = (id: number, batch?: Batch): Promise<Modification> =>
  write(
    modifications.annulerModification,
    { params: { id } },
    { batch, notice: () => ({ isFinal: true }) },
  );

/** The same with the acts that stand in the way, as one. */
export const annulerWithObstacles = (id: number): Promise<Modification> =>
  write(
    modifications.annulerModification,
    { params: { id }, query: { avec: 'obstacles' } },
    { notice: () => ({ isFinal: true }) },
  );
